package dev.topo.hw.sysfs;

import java.util.Arrays;

/** Link layers of an InfiniBand device's port. */
public enum LinkLayer {
  /** InfiniBand. */
  INFINIBAND,
  /** RoCE. */
  ETHERNET,
  /** Any other layer; NCCL does not use such a port. */
  UNSPECIFIED;

  /** Link layer named in sysfs; {@link #UNSPECIFIED} for an unknown one. */
  static LinkLayer parse(String text) {
    return Arrays.stream(values())
        .filter(layer -> layer.name().equalsIgnoreCase(text))
        .findFirst()
        .orElse(UNSPECIFIED);
  }
}
