import argparse
import logging
import warnings

parser = argparse.ArgumentParser(description="Times paged_attention_v1 against ours.")
parser.add_argument("--v2", help="use paged_attention_v2 instead")
logging.getLogger("bench").info("paged_attention_v1: %s ms", 3)
warnings.warn(f"paged_attention_v2 took {3} ms", stacklevel=2)
SQL = "select name from kernels where name like 'paged_attention_v1%'"
