"""One file a command; cli.py loads the one that was asked for."""
