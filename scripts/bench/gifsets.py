"""The GIFs of the benchmarks: four made by a script of ../shared and six real ones of its corpus, or the samples if
there is no such folder; and those of the gallery."""
import dataclasses
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile

from lib import cli
from lib.cli import BUILD, ROOT

SHARED = ROOT.parent / "shared"
# The heights of the GIFs of the gallery, in pixels. A pane of 50 rows has 45 rows for tiles; five rows of these fit.
HEIGHTS = (84, 72, 90, 84, 84, 90)


@dataclasses.dataclass(frozen=True)
class GIF:
    """The duration of one loop in seconds is that of web browsers."""
    path: pathlib.Path
    width: int
    height: int
    frames: int
    seconds: float

    @property
    def name(self):
        return self.path.stem

    def with_short_delays(self, path):
        """Writes a copy in which each frame lasts 20 ms, so that players without a speed option do not take minutes."""
        control = re.compile(rb"!\xf9\x04(.)..(?=.\0[!,])", re.DOTALL)
        path.write_bytes(control.sub(lambda match: b"!\xf9\x04" + match[1] + b"\x02\0", self.path.read_bytes()))
        return dataclasses.replace(self, path=path, seconds=0.02 * self.frames)


def read(binary, path):
    """The facts that gifplay reports, or None if it finds damage."""
    output = subprocess.run([binary, "info", "--json", path], capture_output=True, text=True).stdout
    facts = json.loads(output) if output.startswith("{") else {}
    if facts.get("damaged", True):
        return None
    return GIF(path, facts["width"], facts["height"], facts["frames"], sum(facts["play_ms"]) / 1000)


def install_players():
    """Installs missing packages; the tables show a dash for a player that cannot be installed."""
    if subprocess.run([ROOT / "scripts/setup", "--bench"]).returncode:
        cli.log("continuing without the programs that could not be installed")


def gallery_files(count=24):
    """GIFs of 200 pixels width, made by ffmpeg. Two of three have 25 frames per second and many colours, the others
    have 10 frames per second and few colours."""
    files = [BUILD / f"bench-grid/grid-{index:02}.gif" for index in range(count)]
    for index, file in enumerate(files):
        size = f"200x{HEIGHTS[index % len(HEIGHTS)]}"
        look = (f"gradients=s={size}:rate=25:seed={index + 1}:speed=0.03:nb_colors=6",
                f"format=rgb24,noise=alls=4:allf=t:all_seed={index + 1}", "palettegen=stats_mode=full")
        if index % 3 == 2:
            look = f"testsrc2=size={size}:rate=10", f"hue=h={index * 40}", "palettegen=max_colors=64"
        if not file.exists():
            make(file, *look)
    return files


def make(file, source, filters, palette):
    """Makes a GIF of 2 s. palettegen reads its whole input; the memory limit protects against one without an end."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part, limit = file.with_suffix(".part"), 4_096_000_000
    graph = f"[0:v]{filters},split[x][y];[x]{palette}[p];[y][p]paletteuse=dither=bayer:diff_mode=rectangle"
    subprocess.run(["ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-bitexact", "-threads", "1", "-t", "2",
                    "-f", "lavfi", "-i", source, "-filter_complex", graph, "-loop", "0", "-f", "gif", part], check=True,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    os.replace(part, file)


def made_files():
    """The four GIFs that mkgifs.sh makes with `convert`. A symlink makes sure that `convert` is ImageMagick's."""
    files = [BUILD / f"bench-shared-gifs/{name}.gif" for name in "abcd"]
    if not all(file.exists() for file in files):
        files[0].parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=files[0].parent) as scratch:
            real = next(filter(os.path.exists, ("/usr/bin/convert-im6.q16", "/usr/bin/convert")), None)
            if real:
                os.symlink(real, f"{scratch}/convert")
            subprocess.run(["bash", SHARED / "bench/mkgifs.sh", scratch], check=True, stdout=subprocess.DEVNULL,
                           env=dict(os.environ, PATH=f"{scratch}:{os.environ['PATH']}"))
            for file in files:
                os.replace(f"{scratch}/{file.name}", file)
    return files


def real_gifs(binary, count=6, frames=8):
    """The largest undamaged GIFs of the corpus with at least `frames` frames."""
    largest = sorted((SHARED / "corpus/gifs").rglob("*.gif"), key=lambda path: (-path.stat().st_size, path))
    selected = []
    for path in largest:
        gif = read(binary, path)
        if gif and gif.frames >= frames:
            selected.append(gif)
        if len(selected) == count:
            break
    return selected


def default_gifs(binary):
    """Pairs (kind, GIF), where the kind is "real" or "made"."""
    if not (SHARED / "bench/mkgifs.sh").exists():
        return [("made", read(binary, path)) for path in sorted((ROOT / "Samples").glob("*.gif"))]
    return [("made", read(binary, path)) for path in made_files()] + [("real", gif) for gif in real_gifs(binary)]
