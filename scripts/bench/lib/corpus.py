"""The GIFs with which gifplay is checked: those of a corpus, and the hostile ones that its nasty.py makes."""
import json
import subprocess
import sys


def hostile_files(corpus, folder, real=("gifs", "pygif")):
    """Makes the hostile files in a folder. Returns their expected outcomes by name, and [(path, name)] of all files,
    with those in the folders `real` of the corpus."""
    subprocess.run([sys.executable, corpus / "nasty.py", folder], check=True, stdout=subprocess.DEVNULL)
    manifest = json.loads((folder / "manifest.json").read_text())
    found = []
    for base in (folder, *(corpus / name for name in real)):
        names = {str(path.relative_to(base)): path for path in base.rglob("*.gif")}
        if base == folder:
            names.update((name, base / name) for name in manifest)
        found += [(path, name) for name, path in sorted(names.items())]
    return manifest, found
