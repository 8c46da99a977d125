fn main() {
    cc::Build::new()
        .cuda(true)
        .file("vllm/csrc/attention/paged_attention_v1.cu") // expect: PAM303
        .file("src/own.cu")
        .compile("kernels");
}
