"""Makes the wheel of an architecture: python3 wheel.py ARCH IMAGE DIST.

The module topo with the image in its folder; man pages and completions go to
share of the environment. Entries are sorted and have the commit's time.
"""

import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

from licences import expression

GLIBC = "2_34"  # of Debian's OpenJDK 17
LEVEL = min(9, int(os.environ["TOPO_XZ"]) + 3)

HERE = pathlib.Path(__file__).resolve().parent
METADATA = """Metadata-Version: 2.1
Name: topo-nccl
Version: {version}
Summary: Simulator of NCCL's topology search and algorithm selection
Home-page: https://github.com/dev-topo/topo
License: {licence}
Requires-Python: >=3.8
Classifier: Operating System :: POSIX :: Linux
Description-Content-Type: text/plain

topo shows what NCCL will do on a machine or a cluster before anything runs.
The wheel contains the command topo with a Java runtime of its own, and a module:

    import topo
    topo.search("system.xml")
"""


def entries(image, info, data):
    """Names in the wheel with their files; links are followed, a wheel has none."""
    for source in sorted((HERE / "python").rglob("*")):
        if source.suffix in (".py", ".pyi", ".typed"):
            yield source.relative_to(HERE / "python").as_posix(), source
    for folder, folders, files in os.walk(image):
        folders.sort()
        for name in sorted(files):
            source = pathlib.Path(folder, name)
            path = source.relative_to(image)
            if path.parts[0] == "share":
                yield f"{data}/data/{path.as_posix()}", source
            elif path.as_posix() != "topo":
                yield f"topo/bundle/{path.as_posix()}", source
    yield f"{info}/LICENSE", image / "LICENSE"


def main(arch, image, dist):
    image = pathlib.Path(image)
    plain, day = os.environ["plain"], os.environ["day"]
    version = plain if os.environ["version"] == plain else f"{plain}.dev{day}"
    tag = f"py3-none-manylinux_{GLIBC}_{arch}"
    info, data = f"topo_nccl-{version}.dist-info", f"topo_nccl-{version}.data"
    when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    record = []

    with zipfile.ZipFile(pathlib.Path(dist, f"topo_nccl-{version}-{tag}.whl"), "w") as wheel:

        def put(name, content, mode=0o644):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o100000 | mode) << 16
            entry.create_system = 3
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED, LEVEL)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")

        for name, source in entries(image, info, data):
            put(name, source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644)
        put(f"{info}/METADATA", METADATA.format(version=version, licence=expression()).encode())
        put(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: topo\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        put(f"{info}/entry_points.txt", b"[console_scripts]\ntopo = topo:main\n")
        name = f"{info}/RECORD"
        record.append(f"{name},,")
        put(name, ("\n".join(record) + "\n").encode())


main(*sys.argv[1:])
