class Backend:
    def forward_decode(self, query):
        return query

    def forward_prefix(self, query):
        return self.forward_decode(query)


Backend().forward_decode(1)
