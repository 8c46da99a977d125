"""Download the releases of vLLM that test_real_vllm.py imports and that retire is tried on.

python tests/shim/fetch_vllm_sources.py FOLDER

Needs the package `unearth`. What is in FOLDER already is kept.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from fnmatch import fnmatch
from pathlib import Path

RELEASES = ("0.24.0", "0.25.1", "0.33.0")  # imported: the last with the functions, the first without, the newest
WHOLE = ("0.24.0", "0.8.5", "0.6.6", "0.4.2", "0.2.7")  # retired: each way in which they were registered
KEPT = ("vllm/*.py", "tests/__init__.py", "tests/kernels/*.py", "benchmarks/kernels/benchmark_paged_attention.py")


def main(folder: Path) -> None:
    """Fill the folder; exits with a sentence if a release cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    for release in dict.fromkeys((*RELEASES, *WHOLE)):
        if (folder / f"vllm-{release}").exists():
            continue
        with tempfile.TemporaryDirectory() as downloads:
            command = [sys.executable, "-m", "unearth", f"vllm=={release}", "--no-binary", "--download", downloads]
            try:
                subprocess.run(command, check=True, capture_output=True)
                (archive,) = Path(downloads).glob("*.tar.gz")
            except (OSError, subprocess.CalledProcessError, ValueError) as problem:
                sys.exit(f"the sources of vLLM {release} could not be downloaded: {problem}")
            unpack(archive, release, folder)


def unpack(archive: Path, release: str, folder: Path) -> None:
    """Put a release, or what is imported of it, into the folder: all of it or nothing."""
    kept = ("*",) if release in WHOLE else KEPT
    with tarfile.open(archive) as packed, tempfile.TemporaryDirectory(dir=folder) as beside:
        wanted = [each for each in packed if any(fnmatch(each.name, f"vllm-{release}/{part}") for part in kept)]
        packed.extractall(beside, wanted, filter="data")
        (Path(beside) / f"vllm-{release}").rename(folder / f"vllm-{release}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
