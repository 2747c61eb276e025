"""The commands: each reads what the user gave, calls the library, and shows the result."""
