#include "attention_kernels.cuh"

void paged_attention_v1(torch::Tensor& out, torch::Tensor& query) {
  launch(out, query);
}
