"""Takes a picture of the screen of Xvfb, as soon as most of it has a colour.

    picture.py SCREEN FILE COLOUR

SCREEN is the file that `Xvfb -fbdir` keeps, FILE a PNG, COLOUR like "33cc66".
"""

import collections
import struct
import sys
import time

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, GLib

screen, file, colour = sys.argv[1:]
end = time.monotonic() + 60
while True:
    with open(screen, "rb") as image:
        data = image.read()
    # The format of xwd (XWDFile.h), with a picture of 32 bits a pixel, blue first.
    header = struct.unpack(">25I", data[:100])
    size, width, height, line, colours = header[0], header[4], header[5], header[12], header[19]
    pixels = memoryview(data)[size + 12 * colours :][: line * height]
    (most, count), = collections.Counter(pixels.cast("I")).most_common(1)
    if f"{most & 0xFFFFFF:06x}" == colour and 2 * count > width * height:
        break
    if time.monotonic() > end:
        sys.exit(f"The screen shows {most & 0xFFFFFF:06x}, {count} pixels of {width * height}, not {colour}.")
    time.sleep(0.05)
rgb = bytearray(3 * width * height)
for channel in range(3):
    rgb[channel::3] = pixels[2 - channel :: 4]
picture = GdkPixbuf.Pixbuf.new_from_bytes(
    GLib.Bytes.new(bytes(rgb)), GdkPixbuf.Colorspace.RGB, False, 8, width, height, 3 * width
)
picture.savev(file, "png", [], [])
