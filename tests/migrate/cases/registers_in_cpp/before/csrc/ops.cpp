#include <torch/library.h>
TORCH_LIBRARY_FRAGMENT(_C, m) {
  m.def("paged_attention_v1(Tensor! out) -> ()");
}
