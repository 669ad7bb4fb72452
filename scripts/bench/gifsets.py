"""The GIFs of the benchmarks: the project's own and, if ../shared exists, four made by its script and six real ones."""
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
    """Returns the absolute path of the given program, or of the one that scripts/build builds."""
    if given:
        return os.path.abspath(given)
    built = subprocess.run([ROOT / "scripts/build"], stdout=subprocess.PIPE, text=True)
    if built.returncode:
        sys.exit("bench: scripts/build failed")
    return built.stdout.strip()


def install_players():
    """Installs missing packages; the tables show a dash for a player that cannot be installed."""
    if subprocess.run([ROOT / "scripts/setup", "--bench"]).returncode:
        print("bench: continuing without the programs that could not be installed", file=sys.stderr)


def own_gifs(folder=BUILD / "bench-gifs"):
    subprocess.run([ROOT / "scripts/bench/make-gifs", folder], check=True)
    return gifs_in(folder)


def gifs_in(folder):
    return [GIF(path) for path in sorted(pathlib.Path(folder).glob("*.gif"))]


def shared_folder():
    """The optional folder ../shared, or None."""
    folder = ROOT.parent / "shared"
    return folder if (folder / "bench/mkgifs.sh").exists() else None


def made_gifs(folder=BUILD / "bench-shared-gifs"):
    """The four GIFs that mkgifs.sh makes with `convert`. A symlink makes sure that `convert` is ImageMagick's."""
    if not all((folder / f"{name}.gif").exists() for name in "abcd"):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            paths = ("/usr/bin/convert-im6.q16", "/usr/bin/convert")
            real = next((path for path in paths if os.path.exists(path)), None)
            if real:
                os.symlink(real, f"{scratch}/convert")
            path = f"{scratch}:{os.environ['PATH']}"
            subprocess.run(["bash", shared_folder() / "bench/mkgifs.sh", scratch], check=True,
                           stdout=subprocess.DEVNULL, env=dict(os.environ, PATH=path))
            for name in "abcd":
                os.replace(f"{scratch}/{name}.gif", folder / f"{name}.gif")
    return gifs_in(folder)


def photographic_gif():
    """A GIF of 480x270, 60 frames and 3.0 s in which every frame is different."""
    return next(gif for gif in (made_gifs() if shared_folder() else own_gifs()) if gif.name in ("a", "noise"))


def real_gifs(binary, count=6, frames=8):
    """The largest undamaged GIFs of the corpus with at least `frames` frames. expected.json omits some of the largest
    files; gifplay itself counts the frames of those."""
    corpus = shared_folder() / "corpus"
    expected = json.loads((corpus / "expected.json").read_text())
    selected = []
    for path in sorted((corpus / "gifs").rglob("*.gif"), key=lambda path: -path.stat().st_size):
        known = expected.get(str(path.relative_to(corpus))) or info(binary, path)
        if known and not known["damaged"] and known["frames"] >= frames:
            selected.append(path)
        if len(selected) == count:
            break
    return [GIF(path) for path in selected]


def info(binary, path):
    output = subprocess.run([binary, "info", "--json", path], capture_output=True, text=True).stdout
    try:
        report = json.loads(output)
    except ValueError:
        return None
    return report if "damaged" in report else None
