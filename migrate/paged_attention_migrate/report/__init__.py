"""How a run is told: text and JSON for its findings, a patch for its changes, a bar while it works."""
