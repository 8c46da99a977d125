"""What can be wrong at a call although its name is known.

PAM401 scratch-read: a scratch buffer is read after the call

`exp_sums`, `max_logits` and `tmp_out` were filled by `paged_attention_v2`; the surviving call has no such buffers.
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
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from paged_attention_migrate.calls.arguments import short
from paged_attention_migrate.calls.verdict import Hazard, Verdict
from paged_attention_migrate.module import Module, Site

_LOOKED_AT = frozenset({"shape", "dtype", "device", "ndim", "size", "stride", "numel", "dim", "is_cuda", "data_ptr"})
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
    if any(entry.home.call_style == "op" for entry in site.entries):
        blocking.extend(_other_library(module, site))
    if call is not None and verdict.scratch:
        blocking.extend(_scratch_reads(module, site, call, verdict))
        remarks.extend(_scratch_order(verdict))
    return blocking, remarks


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
    slots = {id(node) for other in module.sites for node in _slot_nodes(module, other)}
    for expression in verdict.scratch:
        if not isinstance(expression, (ast.Name, ast.Attribute, ast.Subscript)):
            continue
        for use in _uses(module, site, expression):
            if id(use) in slots or not _may_read(module, use, call):
                continue
            read = f"`{short(expression)}` is read at line {use.lineno}"
            yield Hazard("PAM401", f"{read}, and the surviving call does not fill it: use `lse=`")
            partition = _other_partition(module, call)
            if partition:
                yield Hazard(
                    "PAM407", f"the buffers are sized for partitions of {partition}, and the old call used 512"
                )
            return


def _slot_nodes(module: Module, site: Site) -> Iterator[ast.expr]:
    call = module.parent(site.node)
    if site.name.scratch and isinstance(call, ast.Call):
        yield from call.args
        yield from (keyword.value for keyword in call.keywords)


def _uses(module: Module, site: Site, expression: ast.expr) -> list[ast.expr]:
    if isinstance(expression, ast.Name):
        owner = site.scope.owner(expression.id)
        return list(dict.fromkeys(owner.loads.get(expression.id, ()))) if owner is not None else []
    text = ast.dump(expression)
    return [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, (ast.Attribute, ast.Subscript))
        and isinstance(node.ctx, ast.Load)
        and ast.dump(node) == text
    ]


def _may_read(module: Module, use: ast.expr, call: ast.Call) -> bool:
    """Whether this use could see what the call left in the buffer."""
    parent = module.parent(use)
    if isinstance(parent, ast.Attribute) and parent.attr in _LOOKED_AT:
        return False
    if isinstance(parent, ast.Delete) or (isinstance(parent, ast.Compare) and _is_none_test(parent)):
        return False
    if isinstance(parent, ast.keyword):
        parent = module.parent(parent)
    if isinstance(parent, ast.Call) and use is not parent.func:
        callee = parent.func
        last = callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
        if last.endswith("_like") or "paged_attention" in last:
            return False
    if _handed_to_operator(module, use):
        return False
    if _exclusive(module, use, call):
        return False
    same_function = _function_of(module, use) is _function_of(module, call)
    if same_function and (use.lineno, use.col_offset) < (call.lineno, call.col_offset):
        return _common_loop(module, use, call) and not isinstance(use.ctx, ast.Store)  # type: ignore[attr-defined]
    return same_function or not _in_initialiser(module, use)


def _handed_to_operator(module: Module, use: ast.expr) -> bool:
    """Whether the buffer is an argument for a removed operator that a test or a launcher calls."""
    outer = module.parent(use)
    while isinstance(outer, (ast.Tuple, ast.List, ast.Starred, ast.keyword)):
        outer = module.parent(outer)
    sites = {id(site.node) for site in module.sites}
    return isinstance(outer, ast.Call) and any(id(argument) in sites for argument in outer.args)


def _is_none_test(node: ast.Compare) -> bool:
    return any(isinstance(other, ast.Constant) and other.value is None for other in node.comparators)


def _function_of(module: Module, node: ast.AST) -> ast.AST | None:
    for outer in module.ancestors(node):
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return outer
    return None


def _in_initialiser(module: Module, node: ast.AST) -> bool:
    function = _function_of(module, node)
    return isinstance(function, ast.FunctionDef) and function.name == "__init__"


def _common_loop(module: Module, one: ast.AST, other: ast.AST) -> bool:
    loops = {id(outer) for outer in module.ancestors(one) if isinstance(outer, (ast.For, ast.While, ast.AsyncFor))}
    return any(id(outer) in loops for outer in module.ancestors(other))


def _exclusive(module: Module, one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes stand in different arms of the same `if`, outside any common loop."""
    if _common_loop(module, one, other):
        return False
    arms = dict(_arms(module, one))
    return any(arms.get(node, arm) != arm for node, arm in _arms(module, other))


def _arms(module: Module, node: ast.AST) -> Iterator[tuple[ast.If, str]]:
    inner: ast.AST = node
    for outer in module.ancestors(node):
        if isinstance(outer, ast.If):
            yield outer, "body" if inner in outer.body else "orelse" if inner in outer.orelse else "test"
        inner = outer


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
    function = _function_of(module, call) or module.tree
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
