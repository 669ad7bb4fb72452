"""The GIFs of the benchmark: four made by a script of ../shared and six real ones of its corpus, or the samples if
there is no such folder."""
import dataclasses
import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile

from lib.cli import BUILD, ROOT

SHARED = ROOT.parent / "shared"


@dataclasses.dataclass(frozen=True)
class GIF:
    path: pathlib.Path
    width: int
    height: int
    frames: int

    @property
    def name(self):
        return self.path.stem

    def with_short_delays(self, path):
        """Writes a copy in which each frame lasts 20 ms, so that players without a speed option do not take minutes."""
        control = re.compile(rb"!\xf9\x04(.)..(?=.\0[!,])", re.DOTALL)
        path.write_bytes(control.sub(lambda match: b"!\xf9\x04" + match[1] + b"\x02\0", self.path.read_bytes()))
        return dataclasses.replace(self, path=path)


def read(binary, path):
    """The facts that gifplay reports, or None if it finds damage."""
    output = subprocess.run([binary, "info", "--json", path], capture_output=True, text=True).stdout
    facts = json.loads(output) if output.startswith("{") else {}
    return None if facts.get("damaged", True) else GIF(path, facts["width"], facts["height"], facts["frames"])


def made_files():
    """The four GIFs that mkgifs.sh makes. It calls `convert`, which must be ImageMagick's."""
    folder = BUILD / "bench-shared-gifs"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=BUILD) as scratch:
            subprocess.run(["bash", SHARED / "bench/mkgifs.sh", f"{scratch}/made"], check=True,
                           stdout=subprocess.DEVNULL, env=dict(os.environ, PATH=f"/usr/bin:{os.environ['PATH']}"))
            os.replace(f"{scratch}/made", folder)
    return [folder / f"{name}.gif" for name in "abcd"]


def real_gifs(binary, count=6, frames=8):
    """The largest undamaged GIFs of the corpus with at least `frames` frames."""
    largest = sorted((SHARED / "corpus/gifs").rglob("*.gif"), key=lambda path: (-path.stat().st_size, path))
    gifs = (read(binary, path) for path in largest)
    return list(itertools.islice((gif for gif in gifs if gif and gif.frames >= frames), count))


def default_gifs(binary):
    """Pairs (kind, GIF), where the kind is "real" or "made"."""
    if not (SHARED / "bench/mkgifs.sh").exists():
        return [("made", read(binary, path)) for path in sorted((ROOT / "Samples").glob("*.gif"))]
    return [("made", read(binary, path)) for path in made_files()] + [("real", gif) for gif in real_gifs(binary)]
