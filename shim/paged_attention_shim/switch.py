"""The switch in the environment: PAGED_ATTENTION_SHIM=off, error or forward, with options after commas."""

from __future__ import annotations

import os
import sys
from typing import Literal, NamedTuple, cast

from paged_attention_shim.forward import Options
from paged_attention_shim.removed import position

VARIABLE = "PAGED_ATTENTION_SHIM"
_MODES = ("error", "forward")
_complained = False
_ACCEPTED = '"off", "error" or "forward", with "fill_scratch", "rocm" and "from=0.4.2" after commas'


Mode = Literal["error", "forward"]


class Wanted(NamedTuple):
    """A mode and its options."""

    mode: Mode
    options: Options = Options()


def checked(mode: str, options: Options) -> Wanted:
    """These, if they are what `install` takes; raises ValueError otherwise."""
    if mode not in _MODES:
        raise ValueError(f'mode is {mode!r}; "error" and "forward" are accepted')
    if options.from_version is not None:
        try:
            position(options.from_version)
        except (ValueError, AttributeError):
            raise ValueError(
                f"from_version is {options.from_version!r}; a release of vLLM such as '0.4.2' is accepted"
            ) from None
    return Wanted(cast("Mode", mode), options)


def read(default: str = "off") -> Wanted | None:
    """What the environment asks for, None for off; raises ValueError for what it cannot mean."""
    written = os.environ.get(VARIABLE, "").strip() or default
    mode, *words = [word.strip() for word in written.split(",")]
    if mode == "off" and not words:
        return None
    version = next((word.partition("=")[2] for word in words if word.startswith("from=")), None)
    strange = [word for word in words if word not in {"fill_scratch", "rocm", f"from={version}"}]
    if mode not in _MODES or strange:
        raise ValueError(f"{VARIABLE} is {written!r}; {_ACCEPTED} are accepted")
    return checked(mode, Options("fill_scratch" in words, version, "rocm" in words))


def text(wanted: Wanted) -> str:
    """What makes `read` give the same in another process."""
    options = wanted.options
    words = [wanted.mode, *(["fill_scratch"] if options.fill_scratch else []), *(["rocm"] if options.rocm else [])]
    return ",".join([*words, *([f"from={options.from_version}"] if options.from_version else [])])


def on(default: str = "off") -> None:
    """Install what the environment asks for; what it cannot mean is said in one line, and the program goes on."""
    global _complained  # noqa: PLW0603  # Python may come here for several folders of packages
    try:
        wanted = read(default)
    except ValueError as problem:
        if not _complained:
            _complained = True
            sys.stderr.write(f"paged-attention-shim: {problem}; it stays off\n")
        return
    if wanted is not None:
        from paged_attention_shim.installing import install

        install(wanted.mode, **wanted.options._asdict())
