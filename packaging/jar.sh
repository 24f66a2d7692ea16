#!/bin/sh
# A jar that is also a program: java ignores what is before the archive.
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${TOPO_JAVA_OPTS:-} -jar "$0" "$@"
exit 4
