"""GIFs that differ in one quantity only, made by ffmpeg and stored in .build/bench-series."""
import os
import pathlib
import subprocess

from gif import GIF
from gifsets import BUILD

FOLDER = BUILD / "bench-series"


def moving_gif(width, height, frames, folder=FOLDER):
    """Moving colours with noise, in which every pixel of every frame changes; 20 frames a second."""
    path = pathlib.Path(folder) / f"{width}x{height}-{frames}.gif"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(".part.gif")
        # Make the palette from the first second, because reading all of ten thousand frames for it takes minutes.
        filters = ("[0:v]format=rgb24,noise=alls=6:allf=t:all_seed=7,split[x][y];"
                   "[x]trim=end_frame=20,palettegen=stats_mode=full:reserve_transparent=0[p];[y][p]paletteuse=dither=none")
        source = f"gradients=s={width}x{height}:rate=20:seed=7:speed=0.03:nb_colors=6"
        subprocess.run(["ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-bitexact", "-threads", "1", "-t",
                        f"{frames / 20 + 2}", "-f", "lavfi", "-i", source, "-frames:v", str(frames), "-filter_complex",
                        filters, "-loop", "0", half], check=True)
        os.replace(half, path)
    return GIF(path)
