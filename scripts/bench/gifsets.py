"""The GIFs that are played: the project's own, and with ../shared beside it also its four and six real ones."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from gif import GIF

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / ".build"


def binary(given=None):
    """The program that was named, else the one that scripts/build makes."""
    if given:
        return os.path.abspath(given)
    built = subprocess.run([ROOT / "scripts/build"], stdout=subprocess.PIPE, text=True)
    if built.returncode:
        sys.exit("bench: scripts/build failed")
    return built.stdout.strip()


def prepared():
    """Installs what is missing; what cannot be installed shows as a dash."""
    if subprocess.run([ROOT / "scripts/setup", "--bench"]).returncode:
        print("bench: going on without what could not be installed", file=sys.stderr)


def own(folder=BUILD / "bench-gifs"):
    subprocess.run([ROOT / "scripts/bench/make-gifs", folder], check=True)
    return in_folder(folder)


def in_folder(folder):
    return [GIF(path) for path in sorted(pathlib.Path(folder).glob("*.gif"))]


def shared():
    """The folder beside the project that some workplaces have."""
    folder = ROOT.parent / "shared"
    return folder if (folder / "bench/mkgifs.sh").exists() else None


def made(folder=BUILD / "bench-shared-gifs"):
    """The four of mkgifs.sh, which asks for ImageMagick itself where other things are called convert."""
    if not all((folder / f"{name}.gif").exists() for name in "abcd"):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            paths = ("/usr/bin/convert-im6.q16", "/usr/bin/convert")
            real = next((path for path in paths if os.path.exists(path)), None)
            if real:
                os.symlink(real, f"{scratch}/convert")
            path = f"{scratch}:{os.environ['PATH']}"
            subprocess.run(["bash", shared() / "bench/mkgifs.sh", scratch], check=True, stdout=subprocess.DEVNULL,
                           env=dict(os.environ, PATH=path))
            for name in "abcd":
                os.replace(f"{scratch}/{name}.gif", folder / f"{name}.gif")
    return in_folder(folder)


def photographic():
    """480x270, 60 frames, 3.0 s, every one another."""
    return next(gif for gif in (made() if shared() else own()) if gif.name in ("a", "noise"))


def real(binary, count=6, frames=8):
    """The largest undamaged files of the corpus with so many frames; its own list leaves some of the largest out,
    so gifplay is asked about those."""
    corpus = shared() / "corpus"
    expected = json.loads((corpus / "expected.json").read_text())
    chosen = []
    for path in sorted((corpus / "gifs").rglob("*.gif"), key=lambda path: -path.stat().st_size):
        known = expected.get(str(path.relative_to(corpus))) or info(binary, path)
        if known and not known["damaged"] and known["frames"] >= frames:
            chosen.append(path)
        if len(chosen) == count:
            break
    return [GIF(path) for path in chosen]


def info(binary, path):
    output = subprocess.run([binary, "info", "--json", path], capture_output=True, text=True).stdout
    try:
        found = json.loads(output)
    except ValueError:
        return None
    return found if "damaged" in found else None
