"""The option definitions of gifplay, and the files that are written from them."""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def update(doc, texts):
    """Writes files, or checks them with --check. `texts` returns {path below ROOT: text} of a tree of all commands, as
    swift-argument-parser prints it. Returns the exit status."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--gifplay", default=str(ROOT / ".build/release/gifplay"))
    arguments = parser.parse_args()
    output = subprocess.check_output([arguments.gifplay, "--experimental-dump-help"])
    status = 0
    for name, text in texts(json.loads(output)["command"]).items():
        path = ROOT / name
        if not arguments.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{name} is not up to date; run {sys.argv[0]}", file=sys.stderr)
            status = 1
    return status
