"""What the names in a file refer to, up to the full dotted path of a removed entry point."""
