#!/usr/bin/env python3
"""Pack the bundled prelude for src/realm/image.c.

usage: pack.py PRELUDE.js OUT
"""
import struct
import sys
import zlib

text = open(sys.argv[1], "rb").read()
with open(sys.argv[2], "wb") as out:
    out.write(struct.pack("<I", len(text)) + zlib.compress(text, 9))
