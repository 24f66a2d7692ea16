package dev.topo.search.tuning;

/**
 * GPU generations by which the tuning constants differ ({@code NCCL_*_COMPCAP_IDX}, {@code
 * nccl:src/include/plugin/nccl_tuner.h}, NCCL 2.28.9). A GPU counts as the newest one that it is
 * not older than, and as Volta if it is older than all.
 */
enum Generation {
  VOLTA(0, 70),
  AMPERE(1, 80),
  HOPPER(2, 90),
  BLACKWELL(3, 100);

  private final int row;
  private final int minSm;

  Generation(int row, int minSm) {
    this.row = row;
    this.minSm = minSm;
  }

  /** Its row in the tables of constants. */
  int row() {
    return row;
  }

  boolean isHopperOrNewer() {
    return row >= HOPPER.row;
  }

  static Generation of(int sm) {
    Generation generation = VOLTA;
    for (Generation candidate : values()) {
      if (sm >= candidate.minSm) {
        generation = candidate;
      }
    }
    return generation;
  }
}
