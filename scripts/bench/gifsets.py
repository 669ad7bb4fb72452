"""The GIFs of the benchmarks: those that ffmpeg makes and, if ../shared exists, four made by its script and six real
ones."""
import json
import os
import pathlib
import resource
import subprocess
import tempfile

from gif import GIF
from lib import cli
from lib.cli import BUILD, ROOT

RECTANGLE = ":diff_mode=rectangle"
# The name, the number of frames, the source, the filters, the options of the palette, and the dithering.
OWN = (
    # 480x270: moving colours with noise, dithered; every pixel of every frame changes.
    ("noise", 60, "gradients=s=480x270:rate=20:seed=7:speed=0.03:nb_colors=6",
     "format=rgb24,noise=alls=6:allf=t:all_seed=7", "stats_mode=full", "sierra2_4a"),
    # 256x256: a small object moves over a still background; frames are small rectangles. overlay moves the object,
    # because drawbox evaluates its position only once, before the first frame.
    ("sprite", 48, "color=c=0x203040:s=256x256:r=25,drawgrid=w=32:h=32:c=0x507090",
     "null[still];color=c=0xf0a030:s=40x40:r=25:d=3[box];[still][box]overlay=shortest=1:"
     "x='108+80*cos(2*PI*t/1.92)':y='108+80*sin(2*PI*t/1.92)'", "max_colors=32", "none"),
    # 1280x720: a large test pattern with noise.
    ("large", 30, "testsrc2=size=1280x720:rate=33", "noise=alls=12:allf=t:all_seed=3,hue=h=t*120", "stats_mode=full",
     "bayer:bayer_scale=3"),
    # 64x64: pixel art with few colours.
    ("pixels", 20, "life=s=16x16:rate=10:seed=42:ratio=0.35:life_color=#40ff80:death_color=#203060:mold=8:"
     "mold_color=#804020", "scale=64:64:flags=neighbor", "max_colors=16:reserve_transparent=0", "none"))
# The heights of the GIFs of the gallery, in pixels. A pane of 50 rows has 45 rows for tiles; five rows of these fit.
HEIGHTS = (84, 72, 90, 84, 84, 90)


def install_players():
    """Installs missing packages; the tables show a dash for a player that cannot be installed."""
    if subprocess.run([ROOT / "scripts/setup", "--bench"]).returncode:
        cli.log("continuing without the programs that could not be installed")


def make(path, source, filters, palette, dither, seconds=3.0, frames=None):
    """Makes a GIF with ffmpeg, unless the file exists.

    Every source, including those among the filters, must have a limited length, because palettegen reads its whole
    input. The memory limit protects against a source without one."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        graph = f"[0:v]{filters},split[x][y];[x]{palette}[p];[y][p]paletteuse=dither={dither}"
        limit = 4_096_000_000
        subprocess.run(["ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-bitexact", "-threads", "1",
                        "-t", f"{seconds:g}", "-f", "lavfi", "-i", source,
                        *(["-frames:v", str(frames)] if frames else []),
                        "-filter_complex", graph, "-loop", "0", "-f", "gif", part], check=True,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        os.replace(part, path)
    return GIF(path)


def own_gifs():
    return [make(BUILD / f"bench-gifs/{name}.gif", source, filters, f"palettegen={palette}", dither + RECTANGLE,
                 frames=frames) for name, frames, source, filters, palette, dither in sorted(OWN)]


def moving_gif(width, height, frames):
    """Moving colours with noise, in which every pixel of every frame changes; 20 frames a second."""
    # Make the palette from the first second, because reading all of ten thousand frames for it takes minutes.
    return make(BUILD / f"bench-series/{width}x{height}-{frames}.gif",
                f"gradients=s={width}x{height}:rate=20:seed=7:speed=0.03:nb_colors=6",
                "format=rgb24,noise=alls=6:allf=t:all_seed=7",
                "trim=end_frame=20,palettegen=stats_mode=full:reserve_transparent=0", "none", frames / 20 + 2, frames)


def gallery_gifs(count=24):
    """GIFs of 200 pixels width for the gallery. Two of three have 25 frames per second and many colours, the others
    have 10 frames per second and few colours."""
    made = []
    for index in range(count):
        size = f"200x{HEIGHTS[index % len(HEIGHTS)]}"
        look = (f"gradients=s={size}:rate=25:seed={index + 1}:speed=0.03:nb_colors=6",
                f"format=rgb24,noise=alls=4:allf=t:all_seed={index + 1}", "palettegen=stats_mode=full")
        if index % 3 == 2:
            look = f"testsrc2=size={size}:rate=10", f"hue=h={index * 40}", "palettegen=max_colors=64"
        made.append(make(BUILD / f"bench-grid/grid-{index:02}.gif", *look, "bayer" + RECTANGLE, seconds=2))
    return made


def gifs_in(folder):
    return [GIF(path) for path in sorted(pathlib.Path(folder).glob("*.gif"))]


def shared_folder():
    """The optional folder ../shared, or None."""
    folder = ROOT.parent / "shared"
    return folder if (folder / "bench/mkgifs.sh").exists() else None


def made_gifs():
    """The four GIFs that mkgifs.sh makes with `convert`. A symlink makes sure that `convert` is ImageMagick's."""
    folder = BUILD / "bench-shared-gifs"
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
