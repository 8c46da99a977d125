#include <torch/library.h>
void paged_attention_v1(at::Tensor& out, const at::Tensor& q /* ... */);
TORCH_LIBRARY_FRAGMENT(_C, m) {
  m.def("paged_attention_v1(" "Tensor! out, Tensor query" ") -> ()");
  m.impl("paged_attention_v1", torch::kCUDA, &paged_attention_v1);
}
