#include <torch/library.h>

void own_attention(at::Tensor& out, const at::Tensor& query);

TORCH_LIBRARY_IMPL(_C, PrivateUse1, m) {
  m.impl("paged_attention_v2", &own_attention);  // expect: PAM302
}
