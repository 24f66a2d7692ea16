"""Writes an OCI image layout for architectures as a tar: python3 oci.py TARGET VERSION TO ARCH....

Two layers each: libraries of Debian with a shell, and topo in /opt/topo. By the
OCI image specification 1.0; entries are sorted and have the commit's time.
"""

import gzip
import hashlib
import io
import json
import os
import pathlib
import sys
import tarfile
import time

from licences import DEBIAN_LICENCES, expression

WHEN = int(os.environ["SOURCE_DATE_EPOCH"])
CREATED = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(WHEN))
PLATFORMS = {"x86_64": "amd64", "aarch64": "arm64"}
APPLETS = "cat dirname env id ls mkdir printf pwd readlink rm sh sleep uname".split()
MEDIA = "application/vnd.oci.image."
ACCOUNTS = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n",
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}


class Layout:
    """The blobs of an image, by their digest."""

    def __init__(self):
        self.blobs = {}

    def add(self, media, content):
        digest = hashlib.sha256(content).hexdigest()
        self.blobs[digest] = content
        return {"mediaType": MEDIA + media, "digest": "sha256:" + digest, "size": len(content)}

    def add_json(self, media, document):
        return self.add(media, json.dumps(document, sort_keys=True).encode())


def entry(name, kind=tarfile.REGTYPE, mode=0o644, **fields):
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.mtime = kind, mode, WHEN
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def add_tree(tar, folder, prefix):
    """Adds a folder as root's."""
    tar.addfile(entry(prefix.rstrip("/"), tarfile.DIRTYPE, 0o755)) if prefix else None
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = prefix + path.relative_to(folder).as_posix()
        if path.is_symlink():
            tar.addfile(entry(name, tarfile.SYMTYPE, 0o777, linkname=os.readlink(path)))
        elif path.is_dir():
            tar.addfile(entry(name, tarfile.DIRTYPE, 0o755))
        else:
            content = path.read_bytes()
            mode = 0o755 if os.access(path, os.X_OK) else 0o644
            tar.addfile(entry(name, mode=mode, size=len(content)), io.BytesIO(content))


def layer(fill):
    """A layer: its compressed bytes and the digest of the others."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as tar:
        fill(tar)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(plain.getvalue())
    return packed.getvalue(), "sha256:" + hashlib.sha256(plain.getvalue()).hexdigest()


def base(folder):
    def fill(tar):
        add_tree(tar, folder, "")
        names = {path.relative_to(folder).as_posix() for path in pathlib.Path(folder).rglob("*")}
        for name in APPLETS:
            if "bin/" + name not in names:
                tar.addfile(entry("bin/" + name, tarfile.SYMTYPE, 0o777, linkname="busybox"))
        for name, mode in (("tmp", 0o1777), ("root", 0o700), ("work", 0o777)):
            tar.addfile(entry(name, tarfile.DIRTYPE, mode))
        for name, text in ACCOUNTS.items():
            tar.addfile(entry(name, size=len(text)), io.BytesIO(text.encode()))
        tar.addfile(entry("usr/bin/env", tarfile.SYMTYPE, 0o777, linkname="../../bin/busybox"))

    return fill


def topo(image):
    def fill(tar):
        tar.addfile(entry("opt", tarfile.DIRTYPE, 0o755))
        add_tree(tar, image, "opt/topo/")
        for name in ("usr", "usr/local", "usr/local/bin"):
            tar.addfile(entry(name, tarfile.DIRTYPE, 0o755))
        tar.addfile(entry("usr/local/bin/topo", tarfile.SYMTYPE, 0o777, linkname="/opt/topo/bin/topo"))

    return fill


def image(layout, target, version, arch):
    layers = [
        layer(base(target / "base" / arch)),
        layer(topo(target / "image" / arch / f"topo-{version}")),
    ]
    platform = {"architecture": PLATFORMS[arch], "os": "linux"}
    settings = {
        "Entrypoint": ["/usr/local/bin/topo"],
        "Cmd": ["--help"],
        "WorkingDir": "/work",
        # A number, so that Kubernetes can check runAsNonRoot; nobody of Debian.
        "User": "65534:65534",
        "Env": [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "LC_ALL=C.UTF-8",
            "NVIDIA_VISIBLE_DEVICES=all",
            "NVIDIA_DRIVER_CAPABILITIES=compute,utility",
        ],
        "Labels": {
            "org.opencontainers.image.title": "topo",
            "org.opencontainers.image.version": version,
            "org.opencontainers.image.licenses": expression(*DEBIAN_LICENCES.values()),
        },
    }
    config = {
        **platform,
        "created": CREATED,
        "config": settings,
        "rootfs": {"type": "layers", "diff_ids": [digest for _, digest in layers]},
        "history": [
            {"created": CREATED, "created_by": "libraries of Debian and busybox"},
            {"created": CREATED, "created_by": "topo"},
        ],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": MEDIA + "manifest.v1+json",
        "config": layout.add_json("config.v1+json", config),
        "layers": [layout.add("layer.v1.tar+gzip", packed) for packed, _ in layers],
    }
    return {**layout.add_json("manifest.v1+json", manifest), "platform": platform}


def main(target, version, to, *arches):
    layout = Layout()
    manifests = [image(layout, pathlib.Path(target), version, arch) for arch in arches]
    index = {"schemaVersion": 2, "mediaType": MEDIA + "index.v1+json", "manifests": manifests}
    whole = layout.add_json("index.v1+json", index)
    whole["annotations"] = {"org.opencontainers.image.ref.name": version}
    files = {
        "index.json": json.dumps({"schemaVersion": 2, "manifests": [whole]}, sort_keys=True).encode(),
        "oci-layout": b'{"imageLayoutVersion":"1.0.0"}',
    }
    files.update({"blobs/sha256/" + digest: content for digest, content in layout.blobs.items()})
    with tarfile.open(to, "w", format=tarfile.USTAR_FORMAT) as tar:
        for folder in ("blobs", "blobs/sha256"):
            tar.addfile(entry(folder, tarfile.DIRTYPE, 0o755))
        for name in sorted(files):
            tar.addfile(entry(name, size=len(files[name])), io.BytesIO(files[name]))


main(*sys.argv[1:])
