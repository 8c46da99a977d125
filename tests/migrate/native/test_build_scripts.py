"""TOML build specifications and Rust build scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.native import Facts

Report = Callable[..., list[str]]
Tree = Callable[..., Facts]


def test_a_toml_list_of_sources(report: Report, tree: Tree) -> None:
    text = """\
        [kernel.attention]
        src = [
          "attention/dtype_fp8.cuh",
          "csrc/attention/paged_attention_v1.cu",
          'csrc/attention/paged_attention_v2.cu', # csrc/attention/paged_attention_v1.cu
        ]
        """
    assert report("toml", text) == [
        "4:4 PAM303 error paged_attention_v1.cu",
        "5:4 PAM303 error paged_attention_v2.cu",
        "5:45 PAM305 info paged_attention_v1.cu",
    ]
    own = tree("hub/csrc/attention/paged_attention_v1.cu", "hub/csrc/attention/paged_attention_v2.cu")
    assert report("toml", text, own) == []


@pytest.mark.parametrize(
    "text",
    [
        'exclude = ["csrc/attention/paged_attention_v1.cu"]',
        '[tool.typos]\nfiles.extend-exclude = ["csrc/attention/paged_attention_v1.cu"]',
        '[tool.x.ignore]\nwhat = "csrc/attention/paged_attention_v1.cu"',
        '[tool.paged-attention-migrate.per-file-ignores]\n"csrc/attention/paged_attention_v1.cu" = ["PAM301"]',
        'src = ["a.cu"]\n# "csrc/attention/paged_attention_v1.cu"',
    ],
)
def test_toml_that_takes_no_source(report: Report, text: str) -> None:
    (found,) = report("toml", text)
    assert found.endswith(" PAM305 info paged_attention_v1.cu")


def test_a_key_after_a_list_of_exclusions_counts_again(report: Report) -> None:
    text = '[a]\nexclude = ["x"]\nsources = ["csrc/attention/paged_attention_v1.cu"]\n'
    assert report("toml", text) == ["3:13 PAM303 error paged_attention_v1.cu"]


def test_a_name_in_toml_is_a_mention(report: Report) -> None:
    assert report("toml", 'features = ["paged_attention_v1", "paged_attention_v1_lite"]') == [
        "1:14 PAM305 info paged_attention_v1"
    ]


def test_a_rust_build_script(report: Report, tree: Tree) -> None:
    text = """\
        fn main() {
            // .file("csrc/attention/attention_kernels.cu")
            println!("cargo:rerun-if-changed=csrc/attention/attention_kernels.cu");
            let all = vec![r#"csrc/attention/paged_attention_v1.cu"#, "csrc/cache.cu"];
            cc::Build::new().cuda(true)
                .file("csrc/attention/attention_kernels.cu");
            panic!("no csrc/attention/attention_kernels.cu here");
        }
        """
    assert report("rust", text) == [
        "2:15 PAM305 info attention_kernels.cu",
        "3:38 PAM303 error attention_kernels.cu",
        "4:23 PAM303 error paged_attention_v1.cu",
        "6:16 PAM303 error attention_kernels.cu",
        "7:16 PAM305 info attention_kernels.cu",
    ]
    own = tree("csrc/attention/attention_kernels.cu", "csrc/attention/paged_attention_v1.cu")
    assert report("rust", text, own) == []


def test_rust_bindings_are_of_the_project(report: Report) -> None:
    text = """\
        extern "C" { pub fn paged_attention_v1(out: *const c_void); }
        fn go<'a>(x: &'a Tensor) { unsafe { ffi::paged_attention_v1(x) } } /* paged_attention_v2 */
        let kernel = load("paged_attention_v2"); let c = '"'; ffi::paged_attention_v1_f16();
        """
    assert report("rust", text) == [
        "1:21 PAM301 info paged_attention_v1",
        "2:42 PAM301 info paged_attention_v1",
        "2:71 PAM305 info paged_attention_v2",
        "3:20 PAM305 info paged_attention_v2",
    ]
