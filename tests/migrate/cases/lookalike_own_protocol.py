from typing import Protocol


class Backend(Protocol):
    def paged_attention_v1(self, out, query) -> None: ...


def decode(backend: Backend, out, query):
    Backend.paged_attention_v1(backend, out, query)
