#!/usr/bin/env bash
#
# Whether the bundle is what it should be: small enough, for hosts as old as promised, and the same topo as without it.
#
#   check.sh JDK BUNDLE.tar.xz

set -euo pipefail
unset CDPATH
jdk=$1 bundle=$2

most_bytes=45000000
# What RHEL 9 and Ubuntu 22.04 have: glibc, and the libstdc++ of GCC 11.
newest=(GLIBC_2.34 GLIBCXX_3.4.29 CXXABI_1.3.13)
# What every such host has; anything else a library needs should be in the bundle, or is of CUDA.
host_libraries='ld-linux-x86-64\.so\.2|lib(c|m|dl|rt|pthread)\.so\.6?[0-9]*|lib(stdc\+\+\.so\.6|gcc_s\.so\.1|z\.so\.1)'

say() { printf 'bundle: %s\n' "$*"; }
die() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a folder" "$work/cwd" "$work/natives"
tar -xf "$bundle" -C "$work/a folder"
folder=$(echo "$work/a folder"/*)
[[ -d $folder ]] || die "there is not one folder in ${bundle##*/}"

bytes=$(stat -c %s -- "$bundle")
((bytes <= most_bytes)) || die "${bundle##*/} has $bytes bytes, more than $most_bytes"
say "${bundle##*/}: $bytes bytes"

# Symbol versions that the programs and libraries of the image and the libraries in the jars need.
symbols() {
  local jar file limit kind found too_new="" missing
  for jar in "$folder"/lib/*-linux-x86_64.jar; do
    (cd "$work/natives" && "$jdk/bin/jar" -xf "$jar")
  done
  find "$folder/runtime" "$work/natives" -type f \( -name '*.so' -o -perm -u+x \) -print0 >"$work/files"

  for limit in "${newest[@]}"; do
    kind=${limit%_*}
    while IFS= read -r -d '' file; do
      found=$(readelf -W --version-info "$file" 2>/dev/null | sed -n "s/.*Name: ${kind}_\([0-9.]*\) .*/\1/p" |
        sort -V | tail -n 1)
      [[ -z $found ]] || printf '%s %s\n' "$found" "${file##*/}"
    done <"$work/files" | sort -V >"$work/$kind"
    read -r found file < <(tail -n 1 "$work/$kind") || continue
    say "newest symbol: ${kind}_$found (in $file)"
    [[ $(printf '%s\n' "$found" "${limit##*_}" | sort -V | tail -n 1) == "${limit##*_}" ]] ||
      too_new+="${too_new:+, }${kind}_$found in $file"
  done
  [[ -z $too_new ]] ||
    die "would not run on glibc 2.34 ($too_new): set JAVA_HOME to a JDK built for older hosts, such as Eclipse Temurin"

  # Windows and sound are not used.
  missing=$(
    find "$folder/runtime" -name '*.so' ! -name libawt_xawt.so ! -name libsplashscreen.so ! -name libjsound.so \
      -exec readelf -dW {} + |
      sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | sort -u | grep -vxE "$host_libraries" |
      while read -r file; do
        [[ -n $(find "$folder/runtime" -name "$file") ]] || printf ' %s' "$file"
      done
  )
  [[ -z $missing ]] || say "this JDK takes from the host what drawing needs:$missing; Eclipse Temurin brings it"
}
if command -v readelf >/dev/null; then
  symbols
else
  say "NOT RUN: which glibc it needs (no readelf here)"
fi

# The same answers as the same jars give on the whole JDK; from another folder, through a link, with a bare environment.
ln -s "../a folder/${folder##*/}/bin/topo" "$work/cwd/link"
ln -s link "$work/cwd/topo"
class_path=$(printf ':%s' "$folder"/lib/*.jar)
cd -- "$work/cwd"
# Native code is not unpacked into anyone's home, and may be loaded.
natives="-Dorg.bytedeco.javacpp.cachedir=../natives --enable-native-access=ALL-UNNAMED"
number=0
same() {
  local expected=0 actual=0
  # shellcheck disable=SC2086 # two words
  "$jdk/bin/java" $natives -cp "${class_path#:}" dev.topo.cli.Main "$@" \
    >"$work/expected" 2>"$work/expected.err" || expected=$?
  env -i PATH=/usr/bin:/bin TOPO_JAVA_OPTS="-Xshare:on ${natives% *}" ./topo "$@" \
    >"$work/actual" 2>"$work/actual.err" || actual=$?
  [[ $actual == "$expected" ]] || die "topo $* ends with $actual, not $expected: $(head -n 3 "$work/actual.err")"
  cmp "$work/expected" "$work/actual" || die "topo $* prints something else"
  cmp "$work/expected.err" "$work/actual.err" || die "topo $* says something else: $(head -n 3 "$work/actual.err")"
  number=$((number + 1))
}
machine=$folder/topologies/dgx-h100.xml
same --help
same --version
same show "$machine"
same paths "$machine" --format tsv
same search "$machine"
same search "$machine" --format xml
same search "$machine" --format json
same connect "$machine" --nodes 2
same tune "$machine" --nodes 2
same explain "$machine" --nodes 2
same search "$work/none.xml"
same probe

# A child with another class path, for which the archive of loaded classes does not hold.
said=$("$folder/runtime/bin/java" -cp "$work/cwd:${class_path#:}" dev.topo.cli.Main --version 2>&1)
[[ $said == "topo "* && $said != *$'\n'* ]] || die "a child says more than it should: $said"

[[ -z $(find "$folder" -newer "$work/files" -print -quit 2>/dev/null) ]] || die "a run wrote into the bundle"
say "$number commands answer as on the JDK that it was made with"
