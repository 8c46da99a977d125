"""Many repositories in one run: a list of them, a process for each, a journal, one report."""
