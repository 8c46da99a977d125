"""The table in pyproject.toml, and the pinned release."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate.settings import Settings, SettingsError, load, pinned_version

TABLE = "[tool.paged-attention-migrate]\n"


def write(folder: Path, text: str, name: str = "pyproject.toml") -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_no_file_and_no_table_are_the_defaults(tmp_path: Path) -> None:
    assert load(str(tmp_path)) == Settings()
    write(tmp_path, "[tool.other]\nexclude = 3\n")
    assert load(str(tmp_path)) == Settings()


def test_every_key(tmp_path: Path) -> None:
    keys = 'exclude = ["a/*"]\nfrom-version = "v0.6.6"\nhomes = ["mine.ops"]\ntarget = "shim"\n'
    write(tmp_path, f'{TABLE}{keys}[tool.paged-attention-migrate.per-file-ignores]\n"b.py" = ["PAM105"]\n')
    wanted = Settings(("a/*",), (("b.py", ("PAM105",)),), "shim", "0.6.6", ("mine.ops",))
    assert load(str(tmp_path)) == wanted
    (tmp_path / "below").mkdir()
    assert load(str(tmp_path / "below")) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exclud = []", "has no key 'exclud'; it takes exclude, per-file-ignores, target, from-version, homes"),
        ("exclude = 3", r"exclude is a number \(3\); an array of strings is accepted"),
        ("exclude = [3]", "exclude is an array"),
        ("homes = 'x'", r"homes is a string \('x'\); an array of strings is accepted"),
        ("from-version = 0.6", r"from-version is a number \(0.6\); a string is accepted"),
        ("from-version = 'new'", "from-version is 'new'; a release of vLLM such as '0.8.5' is accepted"),
        ("target = 'cuda'", "target is 'cuda'; 'shim' is accepted"),
        ("per-file-ignores = []", "per-file-ignores is an array"),
        ("exclude = [", "is not valid TOML"),
    ],
)
def test_a_wrong_table_is_one_sentence(text: str, message: str, tmp_path: Path) -> None:
    write(tmp_path, f"{TABLE}{text}\n")
    with pytest.raises(SettingsError, match=message):
        load(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("requirements.txt", "torch\nvllm==0.4.2\n", "0.4.2"),
        ("requirements-cuda.txt", "vllm[audio] === 0.6.6.post1  # pinned\n", "0.6.6.post1"),
        ("pyproject.toml", '[project]\ndependencies = ["vllm==0.8.5"]\n', "0.8.5"),
        ("setup.cfg", "install_requires =\n    vllm == 0.2.7\n", "0.2.7"),
        ("requirements.txt", "vllm>=0.4.2\n", None),
        ("requirements.txt", "# vllm==0.4.2\n", None),
        ("requirements.txt", "my-vllm==0.4.2\nvllm-flash-attn==2.5.9\n", None),
        ("requirements.txt", "vllm==0.4.2; extra\nvllm==0.5.0\n", None),
    ],
)
def test_the_pinned_release(name: str, text: str, wanted: str | None, tmp_path: Path) -> None:
    write(tmp_path, text, name)
    (tmp_path / ".git").mkdir()
    assert pinned_version(str(tmp_path)) == wanted
