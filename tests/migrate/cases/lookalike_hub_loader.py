from text_server.utils import load_kernel

hub = load_kernel(module="paged_attention", repo_id="x")
hub.paged_attention_v1(1)
