from srv.base import Base


class Decoder(Base):
    def run(self, batch):
        self.ops.paged_attention_v1(*batch)
