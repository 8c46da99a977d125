_PARTITION_SIZE = 512


def partitions(length):
    return (length + _PARTITION_SIZE - 1) // _PARTITION_SIZE
