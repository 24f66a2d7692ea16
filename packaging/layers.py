"""Checks the digests of an image and prints those of its layers, or its user: python3 layers.py LAYOUT ARCHITECTURE [user]."""

import hashlib
import json
import pathlib
import sys


def blob(layout, descriptor):
    digest = descriptor["digest"].split(":")[1]
    content = (layout / "blobs/sha256" / digest).read_bytes()
    if hashlib.sha256(content).hexdigest() != digest or len(content) != descriptor["size"]:
        sys.exit(f"{digest} is another content")
    return content


layout = pathlib.Path(sys.argv[1])
index = json.loads((layout / "index.json").read_text())
platforms = json.loads(blob(layout, index["manifests"][0]))["manifests"]
chosen = [one for one in platforms if one["platform"]["architecture"] == sys.argv[2]]
if not chosen:
    sys.exit(f"there is no image for {sys.argv[2]}")
manifest = json.loads(blob(layout, chosen[0]))
config = json.loads(blob(layout, manifest["config"]))
for one in manifest["layers"]:
    blob(layout, one)
    if len(sys.argv) < 4:
        print(one["digest"].split(":")[1])
if len(sys.argv) > 3:
    print(config["config"].get("User", ""))
