"""Files that could not be checked or changed.

PAM901 unreadable: the file could not be read as Python

It holds a removed name, but is not text in its declared encoding, or does not parse with the Python that runs the tool.
By hand: run the tool with the Python that the file is written for, or mend the file.

PAM902 not-proved: an edit did not pass the proof

Every rewrite is proved before it is written: it parses, keeps every comment, leaves all other bytes alone, passes every
argument once, and a second run finds nothing more to do. An edit that fails is not made.
By hand: make the edit that the message names.
"""
