#include <torch/library.h>

void own_attention(at::Tensor& out, const at::Tensor& query);

TORCH_LIBRARY_FRAGMENT(_C, m) {
  m.def("paged_attention_v1("  // expect: PAM302
        "Tensor! out, Tensor query) -> ()");
  m.impl("paged_attention_v1", torch::kCUDA, &own_attention);  // may: PAM302
}
