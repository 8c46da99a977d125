from vllm import _custom_ops as _ops


class Worker:
    async def step(self, batch):
        async with self.lock:
            _ops.paged_attention_v1(*batch.arguments, tp_rank=self.rank)
            await self.done()
# output
from paged_attention_shim import paged_attention


class Worker:
    async def step(self, batch):
        async with self.lock:
            paged_attention(*batch.arguments, tp_rank=self.rank)
            await self.done()
# findings
# 7:13 PAM102 safe
