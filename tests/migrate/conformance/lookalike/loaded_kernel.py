from server.utils.kernels import load_kernel

paged_attention = load_kernel(module="paged_attention", repo_id="kernels-community/paged-attention")


def attend(batch):
    paged_attention.paged_attention_v1(*batch)
