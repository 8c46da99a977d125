import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--kernel", choices=["paged_attention_v1", "flash"], default="paged_attention_v1")
# findings
# 4:42 PAM104
# 4:82 PAM104
