#include <torch/library.h>

TORCH_LIBRARY(mine, m) {
  m.def("paged_attention_v1(Tensor! out, Tensor query) -> ()");
}
