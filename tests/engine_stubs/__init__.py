"""Lets xgrammar be imported without torch and transformers, which it names on import and does not need to
match a text.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
import types
from typing import Any


def install() -> bool:
    """Put empty torch and transformers modules in place where xgrammar is there and they are not; tell
    whether xgrammar is.
    """
    if importlib.util.find_spec("xgrammar") is None:
        return False
    importlib.import_module("tvm_ffi")  # asks for torch itself, so it comes before the stubs
    for name in ("torch", "transformers"):
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules[name] = _Stub(name)
    return True


class _Anything:
    """Takes any arguments and does nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        del args, kwargs


class _Stub(types.ModuleType):
    """A module that has every name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (_Anything,), {})
