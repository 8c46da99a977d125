class Holder:
    pass


holder = Holder()
holder.paged_attention_v1 = print
holder.paged_attention_v1(1)
