mod ffi {
    extern "C" {
        pub fn paged_attention_v1(out: *mut f32, query: *const f32);
    }
}

pub fn attend(out: *mut f32, query: *const f32) {
    unsafe { ffi::paged_attention_v1(out, query) }
}
