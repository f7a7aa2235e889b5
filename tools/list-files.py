#!/usr/bin/env python3
"""list-files.py DIR PATTERN...: the files of DIR that match, one a line, relative to DIR.

For the build: folders whose files are taken as they are need no second list of them."""
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
print("\n".join(str(p.relative_to(folder)) for pattern in sys.argv[2:]
                for p in sorted(folder.glob(pattern)) if p.is_file()))
