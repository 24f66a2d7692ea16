# Packages of Debian for another architecture, by the machine's own sources of apt; the machine itself is not changed.
# Sourced; needs $target.

debian_libraries="libc6 libgcc-s1 libstdc++6 zlib1g"

debian_name() {
  case $1 in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
  esac
}

# debian_unpack ARCH FOLDER PACKAGE...: unpacks the newest packages, which are loaded once.
debian_unpack() {
  local arch=$1 folder=$2 name package debs
  shift 2
  name=$(debian_name "$arch")
  debs=$target/debian/$arch
  mkdir -p "$debs/lists/partial" "$debs/cache/archives/partial" "$folder"
  local options=(-q -o APT::Architecture="$name" -o APT::Architectures="$name" -o Acquire::Languages=none
    -o Dir::State::Lists="$debs/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$debs/cache"
    -o APT::Sandbox::User=root)
  for package in "$@"; do
    if ! ls "$debs/${package}"_*.deb >/dev/null 2>&1; then
      [[ -e $debs/updated ]] || { apt-get "${options[@]}" update >&2 && touch "$debs/updated"; }
      (cd "$debs" && apt-get "${options[@]}" download "$package" >&2)
    fi
    dpkg-deb -x "$debs/${package}"_*.deb "$folder"
  done
}

# The packages that were used, with their checksums.
debian_list() {
  [[ ! -d $target/debian ]] || (cd "$target/debian" && find . -name '*.deb' | sort | xargs -r sha256sum)
}
