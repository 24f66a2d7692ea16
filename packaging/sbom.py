"""Writes the software bill of materials of topo, CycloneDX 1.5: python3 sbom.py JARS VERSION DEBIAN TO.

Components are the jars, by the coordinates in them or in their POM's place of the
local Maven repository, and the packages of Debian that the images contain.
"""

import hashlib
import json
import os
import pathlib
import re
import sys
import time
import uuid
import zipfile

from licences import DEBIAN_LICENCES, LICENCES


def component(group, name, version, purl, licence, content):
    return {
        "type": "library",
        "bom-ref": purl,
        "group": group,
        "name": name,
        "version": version,
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}],
        "licenses": [{"expression": licence}],
        "purl": purl,
    }


def coordinates(jar):
    """Group, artifact and version of a jar, and its classifier."""
    name, classifier = jar.stem, ""
    found = re.match(r"(.*)-(linux-\w+)$", name)
    if found:
        name, classifier = found.groups()
    with zipfile.ZipFile(jar) as archive:
        for entry in sorted(archive.namelist()):
            if re.fullmatch(r"META-INF/maven/[^/]+/[^/]+/pom\.properties", entry):
                lines = archive.read(entry).decode().splitlines()
                values = dict(line.split("=", 1) for line in lines if "=" in line)
                if name == f"{values['artifactId']}-{values['version']}":
                    return values["groupId"], values["artifactId"], values["version"], classifier
    # A library that is built with another tool has no such file.
    artifact, version = re.fullmatch(r"(.*?)-(\d.*)", name).groups()
    repository = pathlib.Path.home() / ".m2/repository"
    places = sorted(repository.glob(f"**/{artifact}/{version}/{jar.name}"))
    if not places:
        sys.exit(f"sbom: the coordinates of {jar.name} are not known")
    group = ".".join(places[0].relative_to(repository).parts[:-3])
    return group, artifact, version, classifier


def of_jar(jar):
    group, artifact, version, classifier = coordinates(jar)
    if group not in LICENCES:
        sys.exit(f"sbom: the licence of {group} is not known")
    purl = f"pkg:maven/{group}/{artifact}@{version}?type=jar"
    if classifier:
        purl += "&classifier=" + classifier
    return component(group, artifact, version, purl, LICENCES[group], jar.read_bytes())


def of_package(deb):
    name, version, architecture = deb.stem.split("_")
    version = version.replace("%3a", ":")
    purl = f"pkg:deb/debian/{name}@{version}?arch={architecture}"
    return component("debian", name, version, purl, DEBIAN_LICENCES[name], deb.read_bytes())


def main(jars, version, debian, to):
    components = [of_jar(jar) for jar in sorted(pathlib.Path(jars).glob("*.jar"))]
    components += [of_package(deb) for deb in sorted(pathlib.Path(debian).glob("*/*.deb"))]
    components.sort(key=lambda one: one["purl"])
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    purl = f"pkg:maven/dev.topo/topo-parent@{version}?type=pom"
    refs = [one["bom-ref"] for one in components]
    # The same parts give the same number.
    serial = uuid.uuid5(uuid.NAMESPACE_URL, purl + hashlib.sha256(json.dumps(components).encode()).hexdigest())
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": when,
            "component": {
                "type": "application",
                "bom-ref": purl,
                "group": "dev.topo",
                "name": "topo",
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "purl": purl,
            },
        },
        "components": components,
        "dependencies": [{"ref": purl, "dependsOn": refs}, *({"ref": ref} for ref in refs)],
    }
    pathlib.Path(to).write_text(json.dumps(document, indent=2) + "\n")


main(*sys.argv[1:])
