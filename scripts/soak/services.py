"""Successful responses of the services, in the formats of Tests/Fixtures, and the GIFs that they list."""
import base64
import copy
import json
import struct

from lib.cli import ROOT

BATCH = 6
# What follows the number in a title. Some suffixes are hostile: escape sequences, wide letters, a long line.
TITLE_SUFFIXES = ["", "", "", "", "", " \x1b[2J\x1b]0;gone\x07", " \u732b\u304c\u8e0a\u308b", " \u202edlrow\u202c",
          " \x9b5n\r\n\x08", " and so on" * 40]


def fixture(path):
    return (ROOT / "Tests/Fixtures" / path).read_bytes()


def title(number):
    return f"Soak {number:06d}" + TITLE_SUFFIXES[number % len(TITLE_SUFFIXES)]


class Media:
    """GIF number n is sample n modulo the number of samples, with n in a comment. Therefore all files are distinct."""

    def __init__(self):
        self.files = [path.read_bytes() for path in sorted((ROOT / "Samples").glob("*.gif"))]

    def size(self, number):
        return struct.unpack("<HH", self.files[number % len(self.files)][6:10])

    def count(self, number):
        return len(self.gif(number))

    def gif(self, number):
        data = self.files[number % len(self.files)]
        comment = b"number %08d" % number
        return data[:-1] + b"\x21\xfe" + bytes([len(comment)]) + comment + b"\x00" + data[-1:]


def checksum(number):
    """A name of 32 letters for a number, in the form of a GifCities checksum: the Base32 of 20 bytes."""
    return base64.b32encode(number.to_bytes(20)).decode()


def number_of(name):
    """The number in a file's name, which is a checksum or ends with "-NUMBER"; None for any other name."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".gif")
    if len(stem) == 32:
        try:
            return int.from_bytes(base64.b32decode(stem))
        except ValueError:
            pass
    digits = stem.rpartition("-")[2]
    return int(digits) if digits.isdigit() else None


class Services:
    """Makes the responses of the five services. `bases` are the base URLs of the media hosts."""

    def __init__(self, media, bases):
        self.media, self.bases = media, bases
        self.giphy_item = json.loads(fixture("giphy/trending.json"))["data"][0]
        self.klipy_item = json.loads(fixture("klipy/trending.json"))["data"]["data"][0]
        self.commons_page = json.loads(fixture("commons/random.json"))["query"]["pages"][0]
        self.openverse_item = json.loads(fixture("openverse/search.json"))["results"][0]

    def answer(self, service, numbers):
        return json.dumps(getattr(self, service)(numbers)).encode()

    def address(self, number):
        return f"{self.bases[number % len(self.bases)]}/media/soak-{number}.gif"

    def file(self, number):
        """The fields that describe the file of an item."""
        width, height = self.media.size(number)
        return {"url": self.address(number), "width": width, "height": height, "size": self.media.count(number)}

    def commons(self, numbers):
        pages = []
        for index, number in enumerate(numbers, 1):
            page = copy.deepcopy(self.commons_page)
            page.update(pageid=number, title=f"File:{title(number)}.gif", index=index)
            page["imageinfo"][0].update(self.file(number), thumburl=self.address(number), sha1=f"{number:040x}")
            pages.append(page)
        return {"batchcomplete": True, "query": {"pages": pages}}

    def giphy(self, numbers):
        items = []
        for number in numbers:
            image = {name: str(value) for name, value in self.file(number).items()}
            items.append(dict(self.giphy_item, id=f"Soak{number}", title=title(number),
                              images={"original": image, "fixed_width": image}))
        return {"data": items, "meta": {"status": 200, "msg": "OK", "response_id": "1"},
                "pagination": {"total_count": 500, "count": len(items), "offset": 0}}

    def klipy(self, numbers):
        items = [dict(self.klipy_item, id=number, slug=f"soak-{number}", title=title(number),
                      file={"md": {"gif": self.file(number)}}) for number in numbers]
        return {"result": True, "data": {"data": items, "current_page": 1, "per_page": 50, "has_next": False}}

    def gifcities(self, numbers):
        items = []
        for number in numbers:
            width, height = self.media.size(number)
            items.append({"url_text": title(number), "checksum": checksum(number), "width": width, "height": height,
                          "gif": f"20091020304050/http://www.geocities.com/Area51/1234/soak-{number}.gif",
                          "page": "https://web.archive.org/web/20091027000000/http://www.geocities.com/a.html"})
        return items

    def openverse(self, numbers):
        items = []
        for number in numbers:
            file = self.file(number)
            items.append(dict(self.openverse_item, **file, id=f"{number:08d}-0000-4000-8000-000000000000",
                              title=title(number), filesize=file["size"]))
        return {"result_count": len(items), "page_count": 1, "page_size": 20, "page": 1, "results": items}
