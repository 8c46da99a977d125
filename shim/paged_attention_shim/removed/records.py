"""The records that the table of removed names is made of."""

# Annotations stay objects here: NamedTuple compiles each one that is text, which was half of this table's import.
from typing import NamedTuple

from paged_attention_shim.removed.releases import following, position

WRAPPER = "wrapper"
PYBIND = "pybind"
OP = "op"
VALUE = "value"


class Required:
    """Type of `REQUIRED`."""

    def __repr__(self) -> str:
        return "REQUIRED"

    def __reduce__(self) -> str:
        # Pickled by name, so that `is REQUIRED` still holds in another process.
        return "REQUIRED"


REQUIRED = Required()


class Parameter(NamedTuple):
    """One parameter.

    `kind` is what it takes: tensor, int, float, str, dict, list, optional tensor, optional int,
    or scale (a float, a tensor or None); `default` is `REQUIRED` where there is none.
    """

    name: str
    kind: str
    default: object = REQUIRED
    keyword_only: bool = False


class Generation(NamedTuple):
    """One parameter list and the releases (both included) that had it.

    Equal labels mean the same step of the attention calls' history, whichever name they belong to.
    """

    label: str
    first: str
    last: str
    parameters: tuple[Parameter, ...]
    pull_request: int | None = None


class Home(NamedTuple):
    """A module, class or namespace that held a removed name, and the releases (both included) in which it did.

    `call_style`: wrapper (keywords and defaults), pybind (positions only, no defaults),
    op (keywords, no defaults), value (not called the attention way: a module, a class, a constant).
    """

    path: str
    first: str
    last: str
    call_style: str

    @property
    def removed_in(self) -> str:
        """The first release without it."""
        return following(self.last) or ""


class RemovedName(NamedTuple):
    """One name that is gone.

    `replacement` is the dotted name to use instead, or ""; with `moved` it is the same thing at another place.
    `pull_request` removed it; None where the history was not traced. `advice` is one sentence for a person.
    `scratch` are the parameters that have no successor, in every spelling; a note is a clause about the name.
    """

    name: str
    homes: tuple[Home, ...]
    generations: tuple[Generation, ...]
    family: str
    pull_request: int | None
    replacement: str
    advice: str
    scratch: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    moved: bool = False

    @property
    def last(self) -> str:
        """The last release that had it anywhere."""
        return max((home.last for home in self.homes), key=position)

    @property
    def removed_in(self) -> str:
        """The first release that had it nowhere."""
        return following(self.last) or ""

    @property
    def pull_request_url(self) -> str:
        """Where the removal was discussed, or ""."""
        return f"https://github.com/vllm-project/vllm/pull/{self.pull_request}" if self.pull_request else ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every full dotted name it had."""
        return tuple(f"{home.path}.{self.name}" for home in self.homes)
