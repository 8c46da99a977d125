import ctypes

library = ctypes.CDLL("libattention.so")
library.paged_attention_v1.argtypes = [ctypes.c_void_p]
library.paged_attention_v1(None)
