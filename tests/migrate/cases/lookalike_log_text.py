import logging

logging.info("paged_attention_v1 took %s", 1)
