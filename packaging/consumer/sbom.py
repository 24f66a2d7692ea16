"""Checks a bill of materials: python3 sbom.py FILE REPOSITORY.

Every component has a licence, a checksum and a package URL, and the jars of the
repository are those that it names.
"""

import hashlib
import json
import pathlib
import sys

document = json.loads(pathlib.Path(sys.argv[1]).read_text())
components = document["components"]
assert document["bomFormat"] == "CycloneDX" and document["specVersion"] == "1.5", "another format"
for one in components:
    for field in ("name", "version", "purl", "licenses", "hashes"):
        assert one.get(field), f"{one['name']} has no {field}"
names = [one["bom-ref"] for one in components]
assert len(set(names)) == len(names), "a reference occurs twice"
known = {one["hashes"][0]["content"] for one in components}
jars = [path for path in pathlib.Path(sys.argv[2]).rglob("*.jar") if not path.stem.endswith(("-sources", "-javadoc"))]
for jar in jars:
    assert hashlib.sha256(jar.read_bytes()).hexdigest() in known, f"{jar.name} is not in it"
print(f"the bill of materials names {len(components)} parts, also the {len(jars)} jars")
