import logging

logger = logging.getLogger(__name__)


def report(seconds):
    logger.info("paged_attention_v1 took %.3f s, paged_attention_v2 more", seconds)
    raise RuntimeError(f"paged_attention_v1 is slow: {seconds}")
