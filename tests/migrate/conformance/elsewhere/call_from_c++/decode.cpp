#include <torch/all.h>

#include "ops.h"

void decode(at::Tensor& out, const at::Tensor& query) {
  paged_attention_v1(out, query);  // expect: PAM301
}
