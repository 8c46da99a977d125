import os

if os.name == "nt":
    def paged_attention_v1(query):
        return query
else:
    def paged_attention_v1(query):
        return query + 1

paged_attention_v1(1)
