"""Chat templates: from wherever they are kept to the text they render, byte for byte as transformers does."""

from autoparser_cli.templates.environment import noting_missed
from autoparser_cli.templates.inputs import Kept, RenderInputs
from autoparser_cli.templates.rendering import Rendering
from autoparser_cli.templates.template import ChatTemplate, PortabilityWarning

__all__ = ["ChatTemplate", "Kept", "PortabilityWarning", "RenderInputs", "Rendering", "noting_missed"]
