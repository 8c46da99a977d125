from torch import Tensor

def paged_attention_v1(out: Tensor, query: Tensor) -> None: ...  # may: PAM307
