#!/usr/bin/env bash
#
# Puts together the folder that the bundle holds.
#
#   stage.sh JDK MODULES TIMESTAMP JARS FOLDER
#
# Neither the Java image nor the jars are compressed: then topo starts faster, and xz makes them smaller (the image 17
# instead of 29 MB, the jars 8 instead of 16 MB).

set -euo pipefail
unset CDPATH
jdk=$1 modules=$2 timestamp=$3 jars=$4 folder=$5
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$here/..

die() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

release() { sed -n "s/^$1=\"\(.*\)\"$/\1/p" "$jdk/release"; }

[[ -x $jdk/bin/jlink && -r $jdk/release ]] || die "$jdk has no bin/jlink: set JAVA_HOME to a whole JDK"
[[ $(release OS_NAME)-$(release OS_ARCH) == Linux-x86_64 ]] || die "$jdk is not a JDK for Linux on x86_64"
version=$(release JAVA_VERSION)
feature=${version%%[!0-9]*}

rm -rf -- "$folder"
mkdir -p -- "$folder/bin"
# For every start of this java, so also of a child: stdout is the program's, and JavaCPP loads native code without a
# warning.
options='-XX:+DisplayVMOutputToStderr -Xlog:disable -Xlog:all=error:stderr'
((feature < 22)) || options+=' --enable-native-access=ALL-UNNAMED'
"$jdk/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-man-pages --no-header-files \
  --add-options="$options" --output "$folder/runtime"
"$jdk/bin/java" "$here/java/StoredJars.java" "$jars" "$folder/lib"
cp -- "$here/topo.sh" "$folder/bin/topo"
chmod +x "$folder/bin/topo"
ln -s bin/topo "$folder/topo" # what README.md tells to type works there, too
cp -RL -- "$root/topologies" "$root/examples" "$root/docs" "$root/LICENSE" "$root/NOTICE" "$root/README.md" "$folder"

# The archive of loaded classes remembers the times of the jars; the assembly gives every file this one.
find "$folder" -exec touch -h -d "$timestamp" {} +

# Which classes the commands load.
cd -- "$folder/.."
rm -f classes classes.*
number=0
train() {
  number=$((number + 1))
  TOPO_JAVA_OPTS="-XX:DumpLoadedClassList=classes.$number -Dorg.bytedeco.javacpp.cachedir=natives" \
    "$folder/bin/topo" "$@" >/dev/null 2>&1 || [[ $1 == probe ]] || die "topo $* does not run from the image"
}
machine=$folder/topologies/dgx-h100.xml
train --help
train show "$machine"
train search "$machine"
train search "$machine" --format xml
train search "$machine" --format json
train connect "$machine" --nodes 2
train tune "$machine" --nodes 2
train explain "$machine" --nodes 2
train probe
# Lists of several runs can be joined without what refers to numbers of one list, and what no jar holds.
sed -e '/^#/d' -e '/^@cp/d' -e '/ source: /d' -e 's/ id: .*//' classes.* | awk '!seen[$0]++' >classes

# Makes that archive in place of the image's own, where java finds it without an option. One that also holds classes of
# jars can be moved to another folder since JDK 19; before, it holds those of the JDK. G1 lets it hold objects as well.
dump=(-Xshare:dump -XX:SharedClassListFile=classes -XX:+UseG1GC)
if ((feature >= 19)); then
  TOPO_JAVA_OPTS=${dump[*]} "$folder/bin/topo" >dump.log 2>&1 || die "no class data archive: $(tail -n 1 dump.log)"
else
  "$folder/runtime/bin/java" "${dump[@]}" >dump.log 2>&1 || die "no class data archive: $(tail -n 1 dump.log)"
fi

chmod -R u=rwX,go=rX -- "$folder"
