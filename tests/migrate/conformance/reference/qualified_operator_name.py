WATCHED = {"_C::paged_attention_v1"}  # expect: PAM104
