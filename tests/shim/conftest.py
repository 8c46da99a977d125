"""The table of removed names is tested on every Python; the calls only where torch is installed."""

from __future__ import annotations

import importlib.util

collect_ignore = [] if importlib.util.find_spec("torch") else ["test_surviving.py"]
