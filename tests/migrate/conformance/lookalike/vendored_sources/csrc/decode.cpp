#include "ops.h"

void decode(torch::Tensor& out, torch::Tensor& query) {
  paged_attention_v1(out, query);
}
