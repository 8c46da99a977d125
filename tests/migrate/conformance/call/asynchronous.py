from vllm import _custom_ops as ops


class Worker:
    async def step(self, queue):
        async for batch in queue:
            async with batch.lock:
                ops.paged_attention_v1(*batch)  # expect: PAM102
