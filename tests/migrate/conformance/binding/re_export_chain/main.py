from chained import attend_long


def attend(out, sums, peaks, partial, rest):
    attend_long(out, sums, peaks, partial, *rest)  # expect: PAM102
