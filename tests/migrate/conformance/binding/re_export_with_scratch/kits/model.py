from . import decode_long


def attend(out, sums, peaks, partial, rest):
    decode_long(out, sums, peaks, partial, *rest)  # expect: PAM102|PAM405
