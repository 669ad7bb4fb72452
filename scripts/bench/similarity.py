"""How similar two pictures are, as arrays of 8-bit colours. Needs numpy and Pillow (scripts/setup --bench)."""
import os
import subprocess
import sys

from lib.cli import BUILD

os.environ.setdefault("OMP_NUM_THREADS", "1")
try:
    import numpy
    from PIL import Image
except ImportError:
    # A Python that is not the system's does not find the system's packages.
    python = BUILD / "bench-venv/bin/python3"
    if sys.executable == str(python):
        raise
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "numpy", "pillow"], check=True)
    os.execv(python, [python, "-B", *sys.argv])

__all__ = ["Image", "gamma", "linear", "numpy", "oklab", "psnr", "ssim"]
CONES = numpy.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                     [0.0883024619, 0.2817188376, 0.6299787005]])
LAB = numpy.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                   [0.0259040371, 0.7827717662, -0.8086757660]])


def linear(encoded):
    """8-bit sRGB as linear light from 0 to 1."""
    encoded = encoded / 255
    return numpy.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


LIGHT = linear(numpy.arange(256))


def oklab(pixels):
    """The Oklab coordinates of 8-bit colours (https://bottosson.github.io/posts/oklab/)."""
    return numpy.cbrt(LIGHT[pixels] @ CONES.T) @ LAB.T


def gamma(light):
    return numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light.clip(0, 1) ** (1 / 2.4) - 0.055) * 255


def psnr(left, right):
    # Limit the value to 60 dB. Pictures of few colours are exact and would otherwise dominate the mean.
    return 10 * numpy.log10(255 ** 2 / max(0.065, numpy.mean((left - right) ** 2)))


def ssim(left, right):
    """The mean SSIM of the luma in windows of 8x8 pixels."""
    def mean(plane):
        total = numpy.pad(plane, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
        return (total[8:, 8:] - total[:-8, 8:] - total[8:, :-8] + total[:-8, :-8]) / 64
    x, y = (pixels @ numpy.array([0.2126, 0.7152, 0.0722]) for pixels in (left, right))
    (mx, my), (c1, c2) = (mean(x), mean(y)), (6.5025, 58.5225)
    vx, vy, cov = mean(x * x) - mx * mx, mean(y * y) - my * my, mean(x * y) - mx * my
    return float(numpy.mean((2 * mx * my + c1) * (2 * cov + c2) / ((mx ** 2 + my ** 2 + c1) * (vx + vy + c2))))
