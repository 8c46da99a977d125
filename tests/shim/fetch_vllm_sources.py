"""Download the Python files of the releases of vLLM that test_real_vllm.py imports.

python tests/shim/fetch_vllm_sources.py FOLDER

Needs `unearth` on PATH. What is in FOLDER already is kept.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

RELEASES = ("0.24.0", "0.25.1", "0.33.0")  # the last with the functions, the first without, the newest


def main(folder: Path) -> None:
    """Fill the folder; exits with a sentence if a release cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    for release in RELEASES:
        if (folder / f"vllm-{release}").exists():
            continue
        with tempfile.TemporaryDirectory() as downloads:
            command = ["unearth", f"vllm=={release}", "--no-binary", "--download", downloads]
            try:
                subprocess.run(command, check=True, capture_output=True)
                (archive,) = Path(downloads).glob("*.tar.gz")
            except (OSError, subprocess.CalledProcessError, ValueError) as problem:
                sys.exit(f"the sources of vLLM {release} could not be downloaded: {problem}")
            unpack(archive, release, folder)


def unpack(archive: Path, release: str, folder: Path) -> None:
    """Put the package's Python files into the folder, all of them or none."""
    inside = f"vllm-{release}/vllm/"
    with tarfile.open(archive) as packed, tempfile.TemporaryDirectory(dir=folder) as beside:
        wanted = [each for each in packed if each.name.startswith(inside) and each.name.endswith(".py")]
        packed.extractall(beside, wanted, filter="data")
        (Path(beside) / f"vllm-{release}").rename(folder / f"vllm-{release}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
