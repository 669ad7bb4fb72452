"""The option definitions of gifplay, and the files that are written from them."""
import json
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../bench")
from lib import cli
from lib.cli import ROOT


def update(doc, texts):
    """Writes files, or checks them with --check. `texts` returns {path below ROOT: text} of a tree of all commands, as
    swift-argument-parser prints it. Returns the exit status."""
    options = cli.parse(doc, check=False)
    output = subprocess.check_output([cli.binary(options.gifplay), "--experimental-dump-help"])
    status = 0
    for name, text in texts(json.loads(output)["command"]).items():
        path = ROOT / name
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{name} is not up to date; run {sys.argv[0]}", file=sys.stderr)
            status = 1
    return status
