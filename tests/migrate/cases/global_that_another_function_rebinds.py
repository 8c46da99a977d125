from vllm._custom_ops import paged_attention_v1


def choose(name):
    global paged_attention_v1
    paged_attention_v1 = made(name)


def attend(out, q, kc, vc, scale, tables, lens, ks, vs):
    paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, 4096, None, "auto", ks, vs)
# findings
# 1:30 PAM101
# 10:5 PAM109
