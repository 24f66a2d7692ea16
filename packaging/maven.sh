#!/usr/bin/env bash
#
# A Maven repository with the library modules: jars, sources, Javadoc, POMs, checksums, and the bill of materials.
#
#   maven.sh ROOT JARS VERSION TO

set -euo pipefail
unset CDPATH
root=$1 jars=$2 version=$3 to=$4
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
tools=${JAVA_HOME:+$JAVA_HOME/bin/}
work=$here/target/maven-work
class_path=$(printf '%s:' "$jars"/*.jar)
when=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
rm -rf "$to" "$work"
mkdir -p "$to" "$work"

# folder ARTIFACT: the place of its files in a repository.
folder() {
  local place=$to/dev/topo/$1/$version
  mkdir -p "$place"
  printf '%s' "$place"
}

cp "$root/pom.xml" "$(folder topo-parent)/topo-parent-$version.pom"
for jar in "$jars"/topo-*-"$version".jar; do
  artifact=${jar##*/}
  artifact=${artifact%-"$version".jar}
  module=$root/${artifact#topo-}
  place=$(folder "$artifact")
  name=$place/$artifact-$version
  cp "$jar" "$name.jar"
  cp "$module/pom.xml" "$name.pom"
  files=()
  for folder in "$module/src/main/java" "$module/src/main/resources"; do
    [[ -d $folder ]] || continue
    while read -r file; do
      files+=(-C "$folder" "$file")
    done < <(cd "$folder" && find . -type f | sort) # without empty folders, which git does not have
  done
  "${tools}jar" --create --date="$when" --file "$name-sources.jar" "${files[@]}"
  "${tools}javadoc" -quiet -Xdoclint:none -notimestamp -encoding UTF-8 -charset UTF-8 -windowtitle "$artifact" \
    -classpath "$class_path" -sourcepath "$module/src/main/java" -subpackages dev.topo -d "$work/$artifact" >&2
  "${tools}jar" --create --date="$when" --file "$name-javadoc.jar" -C "$work/$artifact" .
done
python3 "$here/sbom.py" "$jars" "$version" "$here/target/debian" "$to/topo-$version.cdx.json"

find "$to" -type f | sort | while read -r file; do
  for sum in md5 sha1 sha256 sha512; do
    "${sum}sum" <"$file" | cut -d' ' -f1 >"$file.$sum"
  done
done
