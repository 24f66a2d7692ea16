#!/usr/bin/env bash
#
# The packages of Debian and of RPM systems: topo in /usr/lib/topo, the command, man pages, completions, documents.
#
#   system.sh ARCH IMAGE DIST PART...      (parts: deb rpm)

set -euo pipefail
unset CDPATH
arch=$1 image=$2 dist=$3
shift 3
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd -- "$here/.." && pwd -P)
work=$here/target/system/$arch
maintainer="The topo project <topo@localhost>"
summary="simulator of NCCL's topology search and algorithm selection"
rm -rf "$work"
mkdir -p "$work"

# tree FOLDER ZSH_FOLDER DOCUMENTS: what is common to both systems.
tree() {
  local to=$1 zsh=$2 documents=$3 page
  mkdir -p "$to/usr/bin" "$to/usr/lib/topo" "$to/usr/share/topo" "$to/usr/share/man/man1" \
    "$to/usr/share/bash-completion/completions" "$to$zsh" "$to/usr/share/fish/vendor_completions.d" "$to$documents"
  cp -a "$image/bin" "$image/runtime" "$to/usr/lib/topo"
  cp -a "$image/topologies" "$to/usr/share/topo"
  ln -s ../../share/topo/topologies "$to/usr/lib/topo/topologies"
  cp -a "$image/examples" "$to/usr/share/topo"
  ln -s ../lib/topo/bin/topo "$to/usr/bin/topo"
  for page in "$image"/share/man/man1/*.1; do
    gzip -9n <"$page" >"$to/usr/share/man/man1/${page##*/}.gz"
  done
  sed 1d "$image/share/bash-completion/completions/topo" >"$to/usr/share/bash-completion/completions/topo"
  cp -a "$image/share/zsh/site-functions/_topo" "$to$zsh"
  cp -a "$image/share/fish/vendor_completions.d/topo.fish" "$to/usr/share/fish/vendor_completions.d"
  cp -a "$image/docs" "$image/README.md" "$image/NOTICE" "$to$documents"
  find "$to" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

deb() {
  local name to=$work/deb doc=/usr/share/doc/topo-nccl deb_version
  name=$([[ $arch == x86_64 ]] && echo amd64 || echo arm64)
  deb_version=$plain
  [[ $version == "$plain" ]] || deb_version+="~$day"
  deb_version+=-1
  tree "$to" /usr/share/zsh/vendor-completions $doc
  sed -e "s/@YEAR@/${day:0:4}/" "$here/debian/copyright" >"$to$doc/copyright"
  printf 'topo-nccl (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n -- %s  %s\n' \
    "$deb_version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$to$doc/changelog.Debian.gz"
  gzip -9n <"$root/CHANGELOG.md" >"$to$doc/changelog.gz"
  mkdir -p "$to/usr/share/lintian/overrides" "$to/DEBIAN"
  cp "$here/debian/lintian-overrides" "$to/usr/share/lintian/overrides/topo-nccl"
  cat >"$to/DEBIAN/control" <<CONTROL
Package: topo-nccl
Version: $deb_version
Architecture: $name
Maintainer: $maintainer
Installed-Size: $(du -k --apparent-size -s "$to/usr" | cut -f1)
Depends: libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11), zlib1g
Section: science
Priority: optional
Homepage: https://github.com/dev-topo/topo
Description: $summary
 topo shows what NCCL will do on a machine or a cluster before anything runs:
 the channels it finds, the algorithm and protocol it chooses for a call, and
 the time that the call takes on known hardware. On a machine with GPUs it
 probes the topology and compares the predictions with what NCCL does there.
 .
 The package has a Java runtime of its own, with a font for its pictures.
CONTROL
  (cd "$to" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  chmod -R u=rwX,go=rX "$to"
  find "$to" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz "-z$TOPO_XZ" --build "$to" "$dist/topo-nccl_${deb_version}_$name.deb" >&2
}

rpm() {
  local to=$work/rpm rpm_version=$plain
  [[ $version == "$plain" ]] || rpm_version+="~$day"
  tree "$to" /usr/share/zsh/site-functions /usr/share/doc/topo-nccl
  mkdir -p "$to/usr/share/licenses/topo-nccl"
  cp -a "$image/LICENSE" "$to/usr/share/licenses/topo-nccl"
  rpmbuild -bb --quiet --target "$arch-linux" --define "_topdir $work/rpmbuild" --define "_rpmdir $work" \
    --define "_binary_payload w$TOPO_XZ.xzdio" --define "tree $to" --define "plain $rpm_version" --define "summary_of Simulator${summary#simulator}" \
    --define "day $(date -u -d "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y')" --define "packager_of $maintainer" \
    --define "licence_of $(python3 "$here/licences.py")" \
    "$here/topo.spec" >&2
  cp "$work/$arch/topo-nccl-$rpm_version-1.$arch.rpm" "$dist"
}

for part in "$@"; do
  case $part in deb | rpm) "$part" ;; esac
done
