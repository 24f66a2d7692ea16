#!/usr/bin/env bash
#
# Puts together the folder that every package of an architecture holds: Java with the classes of topo, man pages, documents.
#
#   image.sh ARCH JARS FOLDER
#
# Nothing in the Java image is compressed: then topo starts faster, and xz makes it smaller. Java is Debian's OpenJDK 17 of
# that architecture (glibc 2.34 or newer); TOPO_JDK_X86_64 and TOPO_JDK_AARCH64 name another JDK with jmods.

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

# What jdeps names for the jars (jdk.httpserver is for topo serve), and java.naming.
modules=java.desktop,java.logging,java.management,java.naming,java.sql,java.xml,jdk.httpserver,jdk.unsupported

jdk_variable=TOPO_JDK_${arch^^}
jdk=${!jdk_variable:-}
if [[ -z $jdk ]]; then
  [[ -d $target/jdk/$arch ]] || debian_unpack "$arch" "$target/jdk/$arch" openjdk-17-jdk-headless
  jdk=$(echo "$target/jdk/$arch"/usr/lib/jvm/java-17-openjdk-*)
fi
[[ -r $jdk/jmods/java.base.jmod ]] || die "$jdk has no jmods"
tools=${JAVA_HOME:+$JAVA_HOME/bin/}

# All jars as one module.
"${tools}java" "$here/java/OneModule.java" "$jars" "$modules" "$work/legal" "$work/module"
[[ -z $TOPO_COMMIT ]] || printf '%s\n' "$TOPO_COMMIT" >"$work/module/dev/topo/cli/commit.txt"
"${tools}javac" -d "$work/module" --patch-module dev.topo.app="$work/module" "$work/module/module-info.java"
rm "$work/module/module-info.java"

# For every start of this java, so also of a child. Its own class files need no verification, which would take half of a
# short run; stdout is the program's.
options='-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:+DisplayVMOutputToStderr -Xlog:disable -Xlog:all=error:stderr'
# link JDK FOLDER: an image of this JDK with topo in it.
link() {
  "${tools}jlink" --module-path "$1/jmods:$work/module" --add-modules dev.topo.app --no-man-pages --no-header-files \
    --strip-java-debug-attributes --add-options="$options" --output "$2"
}

link "$jdk" "$folder/runtime"
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

mv "$work/legal" "$folder/runtime/legal/dev.topo.app"
cp "$here"/licences/*.txt "$folder/runtime/legal/dev.topo.app" # of jars that have none in them

# What painting text needs and a plain GPU host lacks: the libraries of Debian's Java, numbered so that each comes behind
# those that it needs (NoFontException loads them), and a font. A named JDK takes them from its own system.
text=$target/text/$arch
if [[ -n ${!jdk_variable:-} && $arch == "$host" ]]; then
  text=
elif [[ ! -d $text ]]; then
  debian_unpack "$arch" "$text" libpcre2-8-0 libglib2.0-0 libgraphite2-3 libpng16-16 libbrotli1 libfreetype6 \
    libharfbuzz0b fonts-dejavu-core
fi
mkdir "$folder"/runtime/lib/{text,fonts}
number=0
for library in libpcre2-8.so.0 libglib-2.0.so.0 libgraphite2.so.3 libpng16.so.16 libbrotlicommon.so.1 libbrotlidec.so.1 \
  libfreetype.so.6 libharfbuzz.so.0; do
  found=
  for file in "$text"/{usr/,}lib/"$arch-linux-gnu/$library"; do
    [[ ! -f $file ]] || found=$file
  done
  [[ -n $found ]] || die "no $library for $arch"
  cp -L "$found" "$folder/runtime/lib/text/$((++number))-$library"
done
cp "$text"/usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold}.ttf "$folder/runtime/lib/fonts"
for package in libpcre2-8-0 libglib2.0-0 libgraphite2-3 libpng16-16 libbrotli1 libfreetype6 libharfbuzz0b fonts-dejavu-core; do
  mkdir "$folder/runtime/legal/$package"
  cp -L "$text/usr/share/doc/$package/copyright" "$folder/runtime/legal/$package"
done
{
  printf 'version=1\nsequence.allfonts=default\nallfonts.default=DejaVu Sans\n'
  for name in dialog dialoginput sansserif serif monospaced; do
    printf '%s.%s.default=DejaVu Sans\n' $name plain $name italic
    printf '%s.%s.default=DejaVu Sans Bold\n' $name bold $name bolditalic
  done
  # shellcheck disable=SC2016 # a name of Java's
  printf 'filename.DejaVu_Sans%s=$JRE_LIB_FONTS/DejaVuSans%s.ttf\n' '' '' _Bold -Bold
} >"$folder/runtime/lib/fontconfig.properties"

# Of the bindings only those that topo uses, where java looks for its libraries: nothing is unpacked later.
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
  cp "$work/org/bytedeco/$library.so" "$folder/runtime/lib"
done

cp -- "$here/topo.sh" "$folder/bin/topo"
chmod +x "$folder/bin/topo"
ln -s bin/topo "$folder/topo" # what README.md says to type works there, too
cp -RL -- "$root/topologies" "$root/examples" "$root/docs" "$folder"
cp -- "$root/LICENSE" "$root/NOTICE" "$root/README.md" "$root/CHANGELOG.md" "$folder"

# Man pages, completions and the list of classes do not depend on the architecture: a java of this machine makes them.
class_path=$(printf '%s:' "$jars"/*.jar)
run() { "${tools}java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$class_path" dev.topo.cli.Main "$@"; }
run help --format man --out-dir "$folder/share/man/man1"
mkdir -p "$folder"/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
run completion bash >"$folder/share/bash-completion/completions/topo"
run completion zsh >"$folder/share/zsh/site-functions/_topo"
run completion fish >"$folder/share/fish/vendor_completions.d/topo.fish"

# Which classes are loaded, and what the archive of them has where, depends on addresses and on which thread is first: Java
# is run on one processor, by threads that run until they wait (SCHED_FIFO), with fixed addresses.
processor=$(taskset -pc $$)
processor=${processor##*: }
runner=(taskset -c "${processor%%[,-]*}")
for fixed in 'chrt --fifo 1' 'setarch -R'; do
  if $fixed true 2>/dev/null; then
    read -ra words <<<"$fixed"
    runner+=("${words[@]}")
  else
    printf 'image: "%s" is not permitted here, so another build may have another archive of classes\n' "$fixed" >&2
  fi
done

# Which classes the commands load, by an image for this machine.
trained=$folder/runtime
if [[ $arch != "$host" ]]; then
  java=$(readlink -f -- "$(type -P "${tools}java")")
  trained=$work/runtime
  link "${java%/bin/java}" "$trained"
fi
train() {
  env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "${runner[@]}" "$trained/bin/java" -XX:+UseSerialGC -Duser.home="$work" \
    -XX:DumpLoadedClassList="$work/classes.$((++number))" -cp /nonexistent dev.topo.cli.Main "$@" >/dev/null 2>&1 || [[ $1 == probe ]] || die "topo $* does not run"
}
number=0
machine=$folder/topologies/dgx-h100.xml
train --version
train --help
train show "$machine"
train search "$machine"
train search "$machine" --format xml
train search "$machine" --format json
train connect "$machine" --nodes 2
train tune "$machine" --nodes 2
train predict "$machine" --nodes 2
train explain "$machine" --nodes 2
train probe
# Lists of several runs can be joined without what refers to numbers of one list, and without classes made at run time.
# Threads load classes in any order: sorted, with what lambdas need behind the classes.
sed -e '/^#/d' -e '/^@cp/d' -e '/ source: /d' -e '/\$Proxy/d' -e 's/ id: .*//' "$work"/classes.* | sort -u >"$work/sorted"
{ grep -v '^@' "$work/sorted" && grep '^@' "$work/sorted"; } >"$work/classes"

# Makes the archive of loaded classes where java finds it without an option. Its bytes depend on the lengths of paths and
# variables, too: it is made with one arena, no environment and a place whose name is always as long.
if [[ $arch != "$host" ]]; then
  debian_unpack "$arch" "$target/sysroot/$arch" $debian_libraries
  runner+=("qemu-$arch-static" -L "$target/sysroot/$arch")
fi
place=$(mktemp -d /tmp/topo.XXXXXX)
trap 'rm -rf "$place"' EXIT
cp -a "$folder/runtime" "$work/classes" "$place"
find "$place" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
made=$place/runtime/lib/server/classes.jsa
rm -f "$made"
(cd "$place" && env -i PATH=/usr/bin:/bin MALLOC_ARENA_MAX=1 "${runner[@]}" "$place/runtime/bin/java" \
  -Xshare:dump -XX:SharedClassListFile="$place/classes" -XX:SharedArchiveFile="$made" -Xint -XX:+UseSerialGC -Xms128m \
  -Xmx128m -XX:-UseContainerSupport -XX:-UsePerfData -cp /nonexistent) >"$work/dump.log" 2>&1 ||
  die "no archive of classes: $(tail -n 1 "$work/dump.log")"
cp "$made" "$folder/runtime/lib/server/classes.jsa"
wc -c <"$made" >"$folder/runtime/lib/server/classes.jsa.size" # topo.sh compares it

find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
chmod -R u=rwX,go=rX -- "$folder"
