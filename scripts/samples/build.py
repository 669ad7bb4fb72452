"""Runs every scene, writes GIFs, catalogue.inc and README.md, or checks what is committed."""
import importlib
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from gifwriter import encode

MODULES = ("scene_dancing_cat", "scenes_cats", "scenes_night", "scenes_nature", "scenes_space",
           "scenes_reactions", "scenes_toys", "scenes_plasma")
FIRST = "dancing-cat"


def run_module(module, only):
    """[(facts, bytes)] of the scenes of one module whose name has `only` in it."""
    out = []
    for scene in importlib.import_module(module).scenes(only):
        f = scene.frames[0]
        facts = {"name": scene.name, "title": scene.title, "tags": scene.tags,
                 "shows": scene.shows, "features": scene.features, "w": f.w, "h": f.h,
                 "frames": len(scene.frames)}
        out.append((facts, encode(scene)))
    return out


def build(only=""):
    """{file name: bytes} of the GIFs and the facts about them, the flagship first."""
    with ProcessPoolExecutor() as pool:
        found = [r for rs in pool.map(run_module, MODULES, [only] * len(MODULES)) for r in rs]
    found.sort(key=lambda r: (r[0]["name"] != FIRST, r[0]["name"]))
    return {facts["name"] + ".gif": data for facts, data in found}, [f for f, _ in found]


def catalogue(facts):
    """The text of the C include with one line for each sample."""
    lines = ["/* Written by scripts/make-samples: C name, file stem, title, tags. */"]
    for f in facts:
        ident = f["name"].replace("-", "_")
        lines.append(f'SAMPLE({ident}, "{f["name"]}", "{f["title"]}", "{f["tags"]}")')
    return "\n".join(lines) + "\n"


def readme(facts, files):
    """The text of Samples/README.md."""
    total = sum(len(b) for b in files.values())
    lines = ["# Sample GIFs", "",
             "The animations gifplay carries. Each one is drawn by `scripts/make-samples` (Python 3,",
             "standard library only) from shapes and formulas in `scripts/samples/`; nothing comes",
             f"from elsewhere. {len(facts)} files, {total / 1000:.0f} kB together.", "",
             "| File | Shows | Size | Frames | kB | GIF features | Origin |",
             "|---|---|---|---|---|---|---|"]
    for f in facts:
        size = len(files[f["name"] + ".gif"]) / 1000
        lines.append(f'| {f["name"]}.gif | {f["shows"]} | {f["w"]}x{f["h"]} | {f["frames"]} | '
                     f'{size:.0f} | {f["features"]} | drawn by scripts/make-samples |')
    lines += ["", "Draw them again with `scripts/make-samples`; two runs give the same bytes.",
              "`scripts/make-samples --check` exits 1 and names what differs from this folder.",
              "`catalogue.inc` lists name, title and search tags for the program; the script writes",
              "it and this file too.", ""]
    return "\n".join(lines)


def write(folder, only=""):
    """Write everything (or only some GIFs) into folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files, facts = build(only)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    if not only:
        (folder / "catalogue.inc").write_text(catalogue(facts))
        (folder / "README.md").write_text(readme(facts, files))
    return files


def check(committed):
    """0 if a fresh drawing equals the committed folder, else 1 after naming differences."""
    with tempfile.TemporaryDirectory() as temp:
        write(Path(temp))
        fresh = {p.name: p.read_bytes() for p in Path(temp).iterdir()}
    here = {p.name: p.read_bytes() for p in committed.iterdir()
            if p.suffix in (".gif", ".inc") or p.name == "README.md"}
    wrong = sorted(n for n in fresh.keys() | here.keys() if fresh.get(n) != here.get(n))
    for name in wrong:
        state = "missing" if name not in here else "extra" if name not in fresh else "differs"
        print(f"{committed.name}/{name}: {state}")
    return 1 if wrong else 0


def main(args, default):
    """Command line; default is the committed folder."""
    if args[:1] in (["-h"], ["--help"]):
        print("usage: make-samples [DIR] | --only NAME DIR | --check")
        return 0
    if args == ["--check"]:
        return check(default)
    only = ""
    if args[:1] == ["--only"] and len(args) == 3:
        only, args = args[1], args[2:]
    if len(args) > 1 or (args and args[0].startswith("-")):
        print("usage: make-samples [DIR] | --only NAME DIR | --check")
        return 2
    files = write(Path(args[0]) if args else default, only)
    for name, data in files.items():
        print(f"{len(data):8d}  {name}")
    print(f"{sum(map(len, files.values())):8d}  in all")
    return 0
