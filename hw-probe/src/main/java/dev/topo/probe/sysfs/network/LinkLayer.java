package dev.topo.probe.sysfs.network;

/** What runs on the wire of an InfiniBand device's port. */
public enum LinkLayer {
  /** InfiniBand. */
  INFINIBAND("InfiniBand"),
  /** RoCE. */
  ETHERNET("Ethernet"),
  /** Any other layer; NCCL does not use such a port. */
  UNSPECIFIED("Unspecified");

  private final String sysfsName;

  LinkLayer(String sysfsName) {
    this.sysfsName = sysfsName;
  }

  /** The layer with this name; {@link #UNSPECIFIED} for an unknown one. */
  public static LinkLayer ofSysfsName(String name) {
    for (LinkLayer layer : values()) {
      if (layer.sysfsName.equals(name)) {
        return layer;
      }
    }
    return UNSPECIFIED;
  }
}
