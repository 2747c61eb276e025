"""Results -> what a person or a program reads: console pages, JSON, and the formats of other tools."""
