"""Inputs of the tool are no tests, whatever their files are called."""

collect_ignore = ["cases", "conformance"]
