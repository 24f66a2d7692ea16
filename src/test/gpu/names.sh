# Sourced by the scripts beside it.

# hide_names FOLDER: leaves in logs and dumps only what NCCL says, without names, addresses and process numbers of the host.
hide_names() {
  local log
  find "$1" -name '*.log' | while IFS= read -r log; do
    sed -i -E -e "s/$(hostname)/host/g" -e 's/([0-9]{1,3}\.){3}[0-9]{1,3}/0.0.0.0/g' \
      -e 's/[0-9a-f]{0,4}(:[0-9a-f]{0,4}){4,7}(%[a-z0-9]+)?/::/g' -e 's/^([^ :]+):[0-9]+:[0-9]+ /\1:0:0 /' \
      -e 's/(commHash|commId) 0x[0-9a-f]+/\1 0x0/g' "$log"
  done
  find "$1" -name '*.xml' -exec sed -i -E 's/host_hash="0x[0-9a-f]+"/host_hash="0x0"/g' {} +
}

# pack FOLDER ARCHIVE: the folder runs in it, the same bytes for the same files.
pack() {
  tar -C "$1" --sort=name --mtime='2026-01-01' --owner=0 --group=0 --numeric-owner -cf - runs | gzip -9n >"$2"
}

# chosen FILE: its lines of settings, or the first and each EVERY-th after it.
chosen() {
  grep -v '^#' "$1" | awk -v every="${EVERY:-1}" 'NR % every == 1 || every == 1'
}
