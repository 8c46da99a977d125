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
        ("target = 'cuda'", "target is 'cuda'; 'shim' or 'rocm' is accepted"),
        ("per-file-ignores = []", "per-file-ignores is an array"),
        ("from-version = '9.9.9'", "from-version is '9.9.9'; a release of vLLM such as '0.8.5' is accepted"),
        ("target = ''", "target is ''; 'shim' or 'rocm' is accepted"),
        ("target = ['shim']", "target is an array"),
        ("homes = ['a', {}]", "homes is an array"),
        ("per-file-ignores = {'a.py' = 'PAM1'}", r"per-file-ignores.'a.py' is a string \('PAM1'\)"),
        ("per-file-ignores = {'a.py' = ['']}", "per-file-ignores.'a.py' has ''; a code or how codes begin"),
        (
            "per-file-ignores = {'a.py' = ['E501']}",
            "has 'E501'; a code or how codes begin, such as 'PAM3', is accepted",
        ),
        ("exclude = 2020-01-01", "exclude is something else"),
        ("exclude = [", "is not valid TOML"),
        ("exclude = []\nexclude = []", "is not valid TOML"),
        ("exclude = 'a'", r"exclude is a string \('a'\)"),
        ("homes = {}", "homes is a table"),
        ("homes = ['ops', '1 x']", "homes has '1 x'; dotted names of modules are accepted"),
        ("homes = ['import']", "homes has 'import'"),
        ("target = 3", r"target is a number \(3\); a string is accepted"),
        ("target = false", r"target is a boolean \(False\); a string is accepted"),
        ("from-version = ['0.8.5']", "from-version is an array"),
        ("from-version = ''", "from-version is ''"),
        ("per-file-ignores = 'PAM1'", r"per-file-ignores is a string \('PAM1'\)"),
        ("per-file-ignores = {'a.py' = [1]}", "per-file-ignores.'a.py' is an array"),
        ("per-file-ignores = {'a.py' = ['PAM1011']}", "has 'PAM1011'"),
        ("from_version = '0.8.5'", "has no key 'from_version'"),
    ],
)
def test_a_wrong_table_is_one_sentence(text: str, message: str, tmp_path: Path) -> None:
    write(tmp_path, f"{TABLE}{text}\n")
    with pytest.raises(SettingsError, match=message):
        load(str(tmp_path))
    with pytest.raises(SettingsError) as caught:
        load(str(tmp_path))
    assert str(caught.value).startswith(str(tmp_path / "pyproject.toml"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["tool = 'paged-attention-migrate'\n", "name = 'paged-attention-migrate'\n"])
def test_the_name_alone_is_no_table(text: str, tmp_path: Path) -> None:
    write(tmp_path, text)
    assert load(str(tmp_path)) == Settings()


def test_a_value_where_the_table_should_be(tmp_path: Path) -> None:
    write(tmp_path, "[tool]\npaged-attention-migrate = true\n")
    with pytest.raises(SettingsError, match=r"is a boolean \(True\); a table is accepted"):
        load(str(tmp_path))


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(TABLE.encode() + b"exclude = ['\xe9']\n")
    with pytest.raises(SettingsError, match=r"is not UTF-8, as TOML must be: byte \d+ is no part of it"):
        load(str(tmp_path))


def test_the_nearest_file_counts_with_a_table_or_without(tmp_path: Path) -> None:
    write(tmp_path, f"{TABLE}exclude = ['a']\n")
    (tmp_path / "below").mkdir()
    write(tmp_path / "below", "[project]\n")
    assert load(str(tmp_path / "below")) == Settings()


def test_a_file_without_the_name_is_never_parsed(tmp_path: Path) -> None:
    write(tmp_path, "this is no TOML\n")
    assert load(str(tmp_path)) == Settings()


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("requirements.txt", "torch\nvllm==0.4.2\n", "0.4.2"),
        ("requirements-cuda.txt", "vllm[audio] === 0.6.6.post1  # pinned\n", "0.6.6.post1"),
        ("pyproject.toml", '[project]\ndependencies = ["vllm==0.8.5"]\n', "0.8.5"),
        ("setup.cfg", "install_requires =\n    vllm == 0.2.7\n", "0.2.7"),
        ("requirements.txt", "vLLM==v0.4.2+cu118,<1\n", "0.4.2"),
        ("requirements.txt", "vllm==0.10.1rc1\n", "0.10.1rc1"),
        ("environment.yml", "dependencies:\n  - pip:\n    - vllm==0.5.0.post1\n", "0.5.0.post1"),
        ("requirements.txt", "vllm==0.4.*\n", None),
        ("requirements.txt", "vllm==0.4.2-unknown\n", None),
        ("requirements.txt", "vllm>=0.5  # not vllm==0.4.2\n", None),
        ("requirements.txt", "vllm!=0.4.2\n", None),
        ("other.txt", "vllm==0.4.2\n", None),
        ("requirements.txt", "vllm==0.4.2\nvllm==0.4.2 ; extra\n", "0.4.2"),
        ("requirements.txt", "vllm>=0.4.2\n", None),
        ("requirements.txt", "# vllm==0.4.2\n", None),
        ("requirements.txt", "my-vllm==0.4.2\nvllm-flash-attn==2.5.9\n", None),
        ("requirements.txt", "vllm==0.4.2; extra\nvllm==0.5.0\n", None),
        ("requirements.txt", "vllm===0.4.2\n", "0.4.2"),
        ("requirements.txt", "vllm[audio,video] == 0.6.6\n", "0.6.6"),
        ("requirements.txt", "vllm[tensorizer]>=0.6.6\n", None),
        ("requirements.txt", "vllm~=0.6.6\n", None),
        ("requirements.txt", "vllm\n", None),
        ("requirements.txt", "vllm==0.4.2 \\\n    --hash=sha256:00\n", "0.4.2"),
        ("requirements.txt", "vllm==0.4.2\r\n", "0.4.2"),
        ("requirements.txt", "\ufeffvllm==0.4.2\n", "0.4.2"),
        ("pyproject.toml", '[project.optional-dependencies]\ngpu = ["vllm[audio]===0.8.5"]\n', "0.8.5"),
    ],
)
def test_the_pinned_release(name: str, text: str, wanted: str | None, tmp_path: Path) -> None:
    write(tmp_path, text, name)
    (tmp_path / ".git").mkdir()
    assert pinned_version(str(tmp_path)) == wanted


def test_the_pin_above_counts_inside_the_repository_only(tmp_path: Path) -> None:
    write(tmp_path, "vllm==0.3.0\n", "requirements.txt")
    (tmp_path / "repository" / "below").mkdir(parents=True)
    assert pinned_version(str(tmp_path / "repository" / "below")) == "0.3.0"
    (tmp_path / "repository" / ".git").mkdir()
    assert pinned_version(str(tmp_path / "repository" / "below")) is None


def test_pins_of_two_files_must_agree(tmp_path: Path) -> None:
    write(tmp_path, "vllm==0.4.2\n", "requirements.txt")
    write(tmp_path, "vllm==0.4.2\n", "requirements-dev.txt")
    write(tmp_path, '[project]\ndependencies = ["vllm==0.4.2"]\n')
    assert pinned_version(str(tmp_path)) == "0.4.2"
    write(tmp_path, '[project]\ndependencies = ["vllm==0.5.0"]\n')
    assert pinned_version(str(tmp_path)) is None


def test_a_contradiction_is_not_settled_further_up(tmp_path: Path) -> None:
    write(tmp_path, "vllm==0.3.0\n", "requirements.txt")
    (tmp_path / "below").mkdir()
    write(tmp_path / "below", "vllm==0.4.2\nvllm==0.5.0\n", "requirements.txt")
    assert pinned_version(str(tmp_path / "below")) is None


def test_a_directory_called_pyproject_is_no_file(tmp_path: Path) -> None:
    write(tmp_path, f"{TABLE}exclude = ['a']\n")
    (tmp_path / "below" / "pyproject.toml").mkdir(parents=True)
    assert load(str(tmp_path / "below")).exclude == ("a",)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("exclude = ['a', 'b/**']", Settings(exclude=("a", "b/**"))),
        ("homes = ['mine.ops']", Settings(homes=("mine.ops",))),
        ("target = 'shim'", Settings(target="shim")),
        ("from-version = '0.8.5'", Settings(from_version="0.8.5")),
        ("per-file-ignores = {'a' = ['PAM', 'PAM1'], 'b' = []}", Settings((), (("a", ("PAM", "PAM1")), ("b", ())))),
        ("", Settings()),
    ],
)
def test_each_key_alone(text: str, wanted: Settings, tmp_path: Path) -> None:
    write(tmp_path, f"{TABLE}{text}\n")
    assert load(str(tmp_path)) == wanted


def test_the_baseline_is_relative_to_the_file_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.paged-attention-migrate]\nbaseline = "known.json"\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path / "sub")
    assert load().baseline == str(Path("..", "known.json"))
    monkeypatch.chdir(tmp_path)
    assert load().baseline == "known.json"
