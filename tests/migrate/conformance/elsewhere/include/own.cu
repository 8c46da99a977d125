#include "attention/attention_kernels.cuh"  // expect: PAM303

__global__ void own() {}
