"""What can be wrong at a call although its name is known.

PAM401 scratch-read: a scratch buffer is read after the call

`exp_sums`, `max_logits` and `tmp_out` were filled by `paged_attention_v2`; the surviving call has no such buffers.
Every place that a buffer is kept in counts, and so do the callers that passed it. A read in another file, found by the
name of a field or a function, makes the edit one for a reader (`rewrite --unsafe`).
By hand: pass `lse=` for the log-sum-exp of every query head, and merge partial results with it.

PAM402 scratch-order: scratch buffers stand in each other's places

The old call wrote through the wrong shapes. The rewritten one has no scratch, so only old results are in doubt.

PAM403 head-mapping: a tensor maps heads where their number is wanted

Up to 0.2.3 the fifth argument was `head_mapping`, a tensor; since 0.2.4 it is `num_kv_heads`, an int.
`key_cache.shape[1]` is that number whenever neighbouring query heads share a KV head. Offered as unsafe.

PAM404 ambiguous-generation: the arguments fit several parameter lists, or none

By hand: say which vLLM the code was written for with `--from-version`, or bring the call to the last list.

PAM405 star-args: a star hides arguments

A starred list of v1 is passed on as it is. In one of v2 three items must go.
By hand: drop items 1 to 3 where the list is built.

PAM406 loaded-library: another library may register the operator

The file loads a library of its own, or this repository registers `_C::paged_attention_v1` itself
(hardware plugins and Windows builds do), so `torch.ops._C.paged_attention_v1` may go on working.
By hand: rewrite the call only if that library does not bring the operator.

PAM407 partition-size: the partition size is not 512

`paged_attention_v2` used partitions of 512 tokens, whatever the caller's buffers were sized for.
It matters where the buffers are read, or shared with `paged_attention_rocm`, whose partition is 256 since 0.8.0.

PAM408 fp8-meaning: "fp8" meant something else in this release

In 0.4.1 and 0.4.2 "fp8" was unscaled e5m2 on NVIDIA; since 0.4.3 it is e4m3. Write "fp8_e5m2" to keep the old meaning.

PAM409 duplicate-expr: an argument would have to stand twice

`kv_scale` became two arguments. An expression that does something must not be evaluated twice.
By hand: give it a name, and pass the name twice.

PAM410 argument-order: the rewrite would drop or reorder something that does work

By hand: evaluate that argument before the call.

PAM411 rocm-limits: `paged_attention_rocm` cannot do what the call asks for

With `--target rocm` calls go to vLLM's own operator for AMD GPUs. It has no block-sparse attention, takes block sizes
16 and 32, and reads caches "auto", "fp8" and "fp8_e4m3"; what a call says in its own text is held against that.
It also wants head size 64 or 128, float16 or bfloat16 queries, and at most 16 query heads for a KV head. On RDNA vLLM
itself calls it for head size 128, block size 16, at least 3 query heads for a KV head, no ALiBi and no fp8 alone.
By hand: use the target shim for this file, or another kernel for this call.

PAM412 rocm-scratch: the scratch of `paged_attention_rocm` has no place in front of the call

The operator writes through three buffers of its caller, cut into partitions of 256 tokens since vLLM 0.8.0. Those of
`paged_attention_v2` were cut into 512, so new ones are allocated in front of the call, sized by its query and
`max_seq_len`. That takes a call which is a statement of its own, and arguments that may be evaluated a second time.
By hand: give the arguments names, and the call a line of its own in a function.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from paged_attention_migrate.buffers import buffers_of, function_of
from paged_attention_migrate.calls.arguments import short
from paged_attention_migrate.calls.verdict import Hazard, Verdict
from paged_attention_migrate.module import Module, Site
from paged_attention_migrate.own import FAMILY

_SLOTS = (re.compile(r"exp|sum"), re.compile(r"max|logit|peak"), re.compile(r"tmp|temp|out|buf"))
_OWN_LIBRARIES = frozenset({"vllm", "torch", "numpy"})


def context_hazards(
    module: Module, site: Site, call: ast.Call | None, verdict: Verdict
) -> tuple[list[Hazard], list[Hazard]]:
    """Hazards that forbid the rewrite, and remarks that do not."""
    blocking: list[Hazard] = []
    remarks: list[Hazard] = []
    patched = [target for target, reference in module.flow.patched if reference.path == site.path]
    if patched:
        blocking.append(Hazard("PAM106", f"line {patched[0].lineno} of this file puts another function in its place"))
    if any(isinstance(outer, ast.JoinedStr) for outer in module.ancestors(site.node)):
        blocking.append(Hazard("PAM111", "it stands inside an f-string"))
    inside = _inside_of(module, site)
    if inside:
        blocking.append(Hazard("PAM102", f"it stands inside `{inside}`, which may be what is to be called"))
    if any(entry.home.call_style == "op" for entry in site.entries):
        blocking.extend(_other_library(module, site))
    if call is not None and verdict.scratch:
        blocking.extend(_scratch_reads(module, site, call, verdict))
        remarks.extend(_scratch_order(verdict))
    return blocking, remarks


def _inside_of(module: Module, site: Site) -> str:
    """The name of the replacement where a function of that name stands around a site: it may be made of the old one."""
    function = module.target_for(site.name).function
    own = site.name.family == FAMILY
    around = module.ancestors(site.node) if own else ()
    named = (getattr(outer, "name", "") for outer in around)
    return function if own and function in named else ""


def _other_library(module: Module, site: Site) -> Iterator[Hazard]:
    registered = module.registers_itself(site.name.name)
    if registered:
        yield Hazard("PAM406", f"{registered} registers the operator itself, so it may still be there")
        return
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "load_library"
            and isinstance(module.parent(node), ast.Call)
        ):
            text = f"line {node.lineno} loads a library that may register the operator itself"
            yield Hazard("PAM406", text)
            return
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for path in _compiled_modules(node):
                if path.partition(".")[0] not in _OWN_LIBRARIES and not getattr(node, "level", 0):
                    yield Hazard("PAM406", f"line {node.lineno} loads `{path}`, which may register the operator itself")
                    return


def _compiled_modules(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        paths = [alias.name for alias in node.names]
    else:
        paths = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    yield from (path for path in paths if path.endswith("._C"))


def _scratch_reads(module: Module, site: Site, call: ast.Call, verdict: Verdict) -> Iterator[Hazard]:
    buffers, target = buffers_of(module, site.name.family == FAMILY), module.target_for(site.name)
    for expression in verdict.scratch:
        use = buffers.first_read(expression, call)
        if use is None:
            continue
        other_name = "" if ast.dump(use) == ast.dump(expression) else f" as `{short(use)}`"
        read = f"`{short(expression)}` is read at line {use.lineno}{other_name}"
        yield Hazard("PAM401", f"{read}, and {target.unfilled}")
        partition = _other_partition(module, call) if target is module.target else None
        if partition:
            yield Hazard("PAM407", f"the buffers are sized for partitions of {partition}, and the old call used 512")
        return


def doubts(module: Module, site: Site, call: ast.Call, verdict: Verdict) -> Iterator[Hazard]:
    """Reads of scratch in other files, found by names alone: a reader must say whether they are of these buffers."""
    for expression in verdict.scratch if module.facts.scratch_read_elsewhere else ():
        for lent in buffers_of(module, site.name.family == FAMILY).lent(expression, call):
            place = module.facts.scratch_read_elsewhere.get(lent)
            if place is not None:
                text = f"`{short(expression)}` may be what {place} reads, and {module.target_for(site.name).unfilled}"
                yield Hazard("PAM401", text)
                return


def _scratch_order(verdict: Verdict) -> Iterator[Hazard]:
    names = []
    for parameter in (("exp_sum", "exp_sums"), ("max_logits",), ("tmp_out",)):
        node = next((verdict.arguments[name] for name in parameter if name in verdict.arguments), None)
        last = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        names.append(last.lower())
    wrong = [
        name
        for slot, name in enumerate(names)
        if name and not _SLOTS[slot].search(name) and any(other.search(name) for other in _SLOTS)
    ]
    if wrong:
        yield Hazard(
            "PAM402",
            f"`{wrong[0]}` stood in another scratch buffer's place, so the old call wrote through the wrong shape",
        )


def _other_partition(module: Module, call: ast.Call) -> int | None:
    """A partition size other than 512 in the sizing of the buffers."""
    function = function_of(module, call) or module.tree
    constants = {
        target.id: node.value.value
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        if "partition" not in node.targets[0].id.lower():
            continue
        for part in ast.walk(node.value):
            if isinstance(part, ast.BinOp) and isinstance(part.op, (ast.FloorDiv, ast.Div)):
                right = part.right
                size = right.value if isinstance(right, ast.Constant) else constants.get(getattr(right, "id", ""))
                if isinstance(size, int) and size != 512:
                    return size
    return None
