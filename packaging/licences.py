"""Licences of what the packages contain. python3 licences.py prints those of a package as an SPDX expression."""

# By group: licences of the libraries, as NOTICE has them.
LICENCES = {
    "com.fasterxml.woodstox": "Apache-2.0",
    "com.fasterxml.jackson.core": "Apache-2.0",
    "com.google.protobuf": "BSD-3-Clause",
    "commons-codec": "Apache-2.0",
    "commons-io": "Apache-2.0",
    "commons-logging": "Apache-2.0",
    "dev.topo": "Apache-2.0",
    "info.picocli": "Apache-2.0",
    "io.github.java-diff-utils": "Apache-2.0",
    "org.apache.commons": "Apache-2.0",
    "org.apache.xmlgraphics": "Apache-2.0",
    "org.apfloat": "MIT",
    "org.bytedeco": "Apache-2.0",
    "org.codehaus.woodstox": "BSD-2-Clause",
    "org.ejml": "Apache-2.0",
    "org.jfree": "LGPL-2.1-or-later",
    "org.jgrapht": "EPL-2.0 OR LGPL-2.1-or-later",
    "org.jheaps": "Apache-2.0",
    "org.jspecify": "Apache-2.0",
    "org.snakeyaml": "Apache-2.0",
    "tools.jackson.core": "Apache-2.0",
    "tools.jackson.dataformat": "Apache-2.0",
}
DEBIAN_LICENCES = {
    "busybox-static": "GPL-2.0-only",
    "fonts-dejavu-core": "Bitstream-Vera",
    "libc6": "LGPL-2.1-or-later",
    "libbrotli1": "MIT",
    "libfreetype6": "FTL",
    "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libglib2.0-0": "LGPL-2.1-or-later",
    "libgraphite2-3": "LGPL-2.1-or-later",
    "libharfbuzz0b": "MIT-Modern-Variant",
    "libpcre2-8-0": "BSD-3-Clause",
    "libpng16-16": "libpng-2.0",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "openjdk-17-jdk-headless": "GPL-2.0-only WITH Classpath-exception-2.0",
    "zlib1g": "Zlib",
}


def expression(*more):
    """The licences of topo, its libraries and its Java runtime, and more, joined by AND."""
    found = {*LICENCES.values(), DEBIAN_LICENCES["openjdk-17-jdk-headless"], *more}
    return " AND ".join(f"({one})" if " OR " in one else one for one in sorted(found))


if __name__ == "__main__":
    print(expression())
