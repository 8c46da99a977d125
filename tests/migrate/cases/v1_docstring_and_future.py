"""Decode."""
from __future__ import annotations

import math

from vllm import _custom_ops as ops
from vllm.logger import init_logger

logger = init_logger(__name__)


def attend(batch):
    ops.paged_attention_v1(*batch)
    logger.info("%s", math.pi)
# output
"""Decode."""
from __future__ import annotations

import math

from paged_attention_shim import paged_attention
from vllm.logger import init_logger

logger = init_logger(__name__)


def attend(batch):
    paged_attention(*batch)
    logger.info("%s", math.pi)
# findings
# 13:5 PAM102 safe
