"""The C header with its comments and types as Doxygen wants them. Lines keep their numbers.

usage: c_comments.py HEADER
"""
import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text()
text = text.replace("/* ", "/** @file\n * ", 1) if text.startswith("/* ") else text
text = re.sub(r"([;,{}\w)]) +/\* (?!NOLINT)", r"\1 /**< ", text)  # beside what it is about
text = re.sub(r"^(\s*)/\* (?!NOLINT)", r"\1/** ", text, flags=re.MULTILINE)  # above it
# A type has one name, whether with `struct` or `enum` before it or not.
text = re.sub(r"^typedef (struct|enum) (\w+)( WEFT_ENUM)? \{(.*?)\} \2;", r"\1 \2 {\4};", text, flags=re.MULTILINE | re.DOTALL)
print(text, end="")
