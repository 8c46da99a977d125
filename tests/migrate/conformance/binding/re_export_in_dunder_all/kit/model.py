from . import decode_short


def attend(batch):
    decode_short(*batch)  # may: PAM102
