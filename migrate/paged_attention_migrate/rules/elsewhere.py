"""What is not Python is reported by native/ and notebooks/, and never edited: of notebooks and documents, Python is.

PAM301 native: code in another language uses a removed function

C++, CUDA, Cython or a patch calls it, declares it, or looks the operator up by its name.
vLLM 0.25.0 has no such symbol and no such operator (https://github.com/vllm-project/vllm/pull/47361).
By hand: call `paged_attention_shim.paged_attention` from Python, or keep a copy of the kernel in this repository.
At info level the repository brings the function itself, and nothing needs to be done.

PAM302 registers-op: C++ registers an operator under the removed name

A schema, an `impl` or a pybind definition brings `paged_attention_v1` or `paged_attention_v2` itself.
Under vLLM's own namespace, `_C`, it takes the place of what vLLM registered up to 0.24.0.
By hand: keep it if this project brings the kernel, else drop schema and implementation together.

PAM303 build-source: a build takes a source file that is gone

`attention_kernels.cuh`, `paged_attention_v1.cu` and `paged_attention_v2.cu` left vLLM's sources in 0.25.0.
By hand: drop the entry, or keep a copy of the file in this repository.

PAM304 command: a command runs what is gone, or with options that are gone

`benchmark_paged_attention.py` lost `--version` and `--custom-paged-attn` in 0.25.0 and runs on ROCm only,
and the tests of the attention kernels lost their `version` parameter.
By hand: drop the option, the selection or the step.

PAM305 mention: a text mentions a removed name

Comments, documents and messages break nothing. They are shown with `--info`.

PAM306 notebook: a cell that is not Python names a removed function

Shell lines, magics and Markdown cells are reported by cell and line, and never edited.
By hand: look whether the cell runs what is gone.

PAM307 stub: a stub declares a removed function

A declaration breaks nothing at run time, but type checkers go on believing in it.
By hand: remove it with the last call.
"""
