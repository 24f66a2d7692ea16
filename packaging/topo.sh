#!/bin/sh
#
# Starts topo with the Java that lies beside it.
#
#   TOPO_JAVA_OPTS  more options for the JVM, separated by blanks; they win over the ones given here

set -u
unset CDPATH

# The folder of the bundle, through symbolic links; the caller's directory stays the current one.
case $0 in
  */*) self=$0 ;;
  *) self=./$0 ;;
esac
while [ -h "$self" ]; do
  link=$(readlink -- "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
home=$(cd -P -- "${self%/*}/.." && pwd -P) || exit 70

# The image has more options of its own, see image.sh of the project. Two collectors are an error.
case ${TOPO_JAVA_OPTS:-} in
  *-XX:+Use*GC*) collector= ;;
  *) collector=-XX:+UseSerialGC ;;
esac

# The system ends a JVM that maps an archive of classes without its end (a full disk, a copy that broke off).
share=
classes=$home/runtime/lib/server/classes.jsa
size=$(wc -c <"$classes" 2>/dev/null) && read -r whole 2>/dev/null <"$classes.size" && [ "$size" -ne "$whole" ] && share=-Xshare:off

# A JVM that does not start ends with 1, as topo does where a check failed. Where that is likely, it is tried first.
files=$(ulimit -n)
if [ "$files" != unlimited ] && [ "$files" -lt 64 ]; then
  printf 'topo: only %s files may be open (ulimit -n), Java needs 64\n' "$files" >&2
  exit 4
fi
if [ -n "${TOPO_JAVA_OPTS:-}${JDK_JAVA_OPTIONS:-}${JAVA_TOOL_OPTIONS:-}" ] || [ "$(ulimit -v)" != unlimited ]; then
  # shellcheck disable=SC2086
  said=$("$home/runtime/bin/java" $share $collector ${TOPO_JAVA_OPTS:-} -version 2>&1) || {
    printf 'topo: Java does not start: %s\n' "$said" >&2
    exit 4
  }
fi

# Names of files are UTF-8 also where nobody chose a locale: Java would make question marks of them.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
  '' | C | POSIX) export LC_ALL=C.UTF-8 ;;
esac

# The second compiler costs a short command more than it gains, but halves the time of thousands of searches or of large traces.
case " $* " in
  ' sweep '* | ' workload '* | ' serve '* | *' --all-placements '*) compilers=4 ;;
  *) compilers=1 ;;
esac

# The classes are in the image, so there is no class path. Named as a module, topo would start more slowly.
# shellcheck disable=SC2086 # TOPO_JAVA_OPTS is several words on purpose
exec "$home/runtime/bin/java" -XX:TieredStopAtLevel=$compilers -XX:-UsePerfData $share $collector \
  ${TOPO_JAVA_OPTS:-} -cp /nonexistent dev.topo.cli.Main "$@"
