#!/usr/bin/env bash
#
# Puts together the folder that every package of an architecture holds: Java, jars, bindings, man pages, documents.
#
#   image.sh ARCH JARS FOLDER
#
# Neither the Java image nor the jars are compressed: then topo starts faster, and xz makes them smaller. Java is Debian's
# OpenJDK 17 of that architecture (glibc 2.34 or newer); TOPO_JDK_X86_64 and TOPO_JDK_AARCH64 name another JDK with jmods.

set -euo pipefail
unset CDPATH
arch=$1 jars=$2 folder=$3
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd -- "$here/.." && pwd -P)
target=$here/target
. "$here/debian.sh"

die() {
  printf 'image: %s\n' "$*" >&2
  exit 1
}

host=$(uname -m)
work=$target/work/$arch
rm -rf -- "$folder" "$work"
mkdir -p -- "$folder/bin" "$folder/share/man" "$work"

# What jdeps names for the jars, and java.naming.
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.sql,java.xml,jdk.unsupported

jdk_variable=TOPO_JDK_${arch^^}
jdk=${!jdk_variable:-}
if [[ -z $jdk ]]; then
  [[ -d $target/jdk/$arch ]] || debian_unpack "$arch" "$target/jdk/$arch" openjdk-17-jdk-headless
  jdk=$(echo "$target/jdk/$arch"/usr/lib/jvm/java-17-openjdk-*)
fi
[[ -r $jdk/jmods/java.base.jmod ]] || die "$jdk has no jmods"
tools=${JAVA_HOME:+$JAVA_HOME/bin/}

# For every start of this java, so also of a child. Its own class files need no verification, which would take half of a
# short run; stdout is the program's.
options='-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:+DisplayVMOutputToStderr -Xlog:disable -Xlog:all=error:stderr'
"${tools}jlink" --module-path "$jdk/jmods" --add-modules "$modules" --strip-java-debug-attributes --no-man-pages \
  --no-header-files --add-options="$options" --output "$folder/runtime"
chmod -R u+w "$folder/runtime"
# No window is ever opened, no sound played.
rm -f "$folder"/runtime/lib/{libawt_xawt,libsplashscreen,libjsound,libjawt}.so "$folder/runtime/lib/jexec"
strip=strip
[[ $arch == "$host" ]] || strip=$arch-linux-gnu-strip
find "$folder/runtime" -type f \( -name '*.so' -o -perm -u+x \) -exec "$strip" --strip-unneeded {} +
# Licences are files, not links: a wheel has no links.
find "$folder/runtime/legal" -type l | while read -r link; do
  cp --remove-destination -- "$(readlink -f -- "$link")" "$link"
done

# Jars without those of one platform. Of the bindings only those that topo uses, as files: nothing is unpacked later.
mkdir "$work/jars"
cp -- "$jars"/*.jar "$work/jars"
rm -f "$work/jars"/*-linux-*.jar
"${tools}java" "$here/java/StoredJars.java" "$work/jars" "$folder/lib"
platform=linux-$arch
[[ $arch != aarch64 ]] || platform=linux-arm64
for jar in "$jars"/*-linux-x86_64.jar; do
  name=${jar##*/}
  name=${name%-linux-x86_64.jar}
  native=$jar
  if [[ $arch != x86_64 ]]; then
    native=$target/natives/$name-$platform.jar
    # The version begins behind the first dash.
    [[ -r $native ]] || (cd "$root" && mvn -q -B -N dependency:copy -DoutputDirectory="$target/natives" \
      -Dartifact="org.bytedeco:${name%%-*}:${name#*-}:jar:$platform" >&2) || die "no $name for $platform"
  fi
  (cd "$work" && "${tools}jar" -xf "$native")
done
for library in javacpp/$platform/libjnijavacpp cuda/$platform/{libjnicudart,libjninvml,libjninccl}; do
  [[ -r $work/org/bytedeco/$library.so ]] || die "no $library.so for $arch"
  mkdir -p "$folder/lib/native/org/bytedeco/${library%/*}"
  cp "$work/org/bytedeco/$library.so" "$folder/lib/native/org/bytedeco/${library%/*}"
done

cp -- "$here/topo.sh" "$folder/bin/topo"
chmod +x "$folder/bin/topo"
ln -s bin/topo "$folder/topo" # what README.md says to type works there, too
cp -RL -- "$root/topologies" "$root/examples" "$root/docs" "$folder"
cp -- "$root/LICENSE" "$root/NOTICE" "$root/README.md" "$root/CHANGELOG.md" "$folder"

# Man pages, completions and the list of classes do not depend on the architecture: a java of this machine makes them.
class_path=$(printf '%s:' "$folder"/lib/*.jar)
run() { "${tools}java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$class_path" dev.topo.cli.Main "$@"; }
run help --format man --out-dir "$folder/share/man/man1"
mkdir -p "$folder"/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
run completion bash >"$folder/share/bash-completion/completions/topo"
run completion zsh >"$folder/share/zsh/site-functions/_topo"
run completion fish >"$folder/share/fish/vendor_completions.d/topo.fish"

# Which classes of the JDK the commands load.
train() {
  "${tools}java" -XX:+UseSerialGC -XX:DumpLoadedClassList="$work/classes.$((++number))" -Duser.home="$work" \
    -cp "$folder/lib/native:$class_path" dev.topo.cli.Main "$@" >/dev/null 2>&1 || [[ $1 == probe ]] || die "topo $* does not run"
}
number=0
machine=$folder/topologies/dgx-h100.xml
train --help
train show "$machine"
train search "$machine" --format xml
train search "$machine" --format json
train connect "$machine" --nodes 2
train tune "$machine" --nodes 2
train predict "$machine" --nodes 2
train explain "$machine" --nodes 2
train probe
# Lists of several runs can be joined without what refers to numbers of one list, and what no jar holds.
sed -e '/^#/d' -e '/^@cp/d' -e '/ source: /d' -e 's/ id: .*//' "$work"/classes.* | grep -v '^dev/topo' |
  awk '!seen[$0]++' >"$work/classes"

# Makes the archive of loaded classes where java finds it without an option. What it holds depends on the order in which
# threads allocate: with one processor, fixed addresses and one arena nearly every run gives the same bytes. The one that
# was made twice is taken.
runner=(taskset -c 0 setarch -R)
if [[ $arch != "$host" ]]; then
  debian_unpack "$arch" "$target/sysroot/$arch" $debian_libraries
  runner+=("qemu-$arch-static" -L "$target/sysroot/$arch")
fi
# The archive remembers the time and the folder of the image.
find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
archive=$folder/runtime/lib/server/classes.jsa
for ((i = 0; i < 9; i++)); do
  rm -f "$archive"
  MALLOC_ARENA_MAX=1 "${runner[@]}" "$folder/runtime/bin/java" -Xshare:dump -XX:SharedClassListFile="$work/classes" \
    -Xint -XX:+UseSerialGC -Xms128m -Xmx128m -XX:SharedArchiveFile="$archive" >"$work/dump.log" 2>&1 ||
    die "no archive of classes: $(tail -n 1 "$work/dump.log")"
  sum=$(sha256sum <"$archive")
  if [[ -e $work/${sum%% *} ]]; then
    break
  fi
  touch "$work/${sum%% *}"
done
[[ $i -lt 9 ]] || die "the archive of classes differs in every run"

find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
chmod -R u=rwX,go=rX -- "$folder"
