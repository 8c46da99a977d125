class Decoder:
    def __init__(self):
        from vllm._custom_ops import paged_attention_v1 as _vllm_pa_v1  # expect: PAM101

        self.attend_short = _vllm_pa_v1  # expect: PAM103

    def run(self, batch):
        self.attend_short(*batch)  # may: PAM102|PAM109
