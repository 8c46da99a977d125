print "paged_attention_v1"
# findings
# 1:1 PAM901
