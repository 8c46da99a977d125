"""`python -m paged_attention_migrate`."""

from __future__ import annotations

from paged_attention_migrate.cli import main

if __name__ == "__main__":
    main(prog_name="python -m paged_attention_migrate")
