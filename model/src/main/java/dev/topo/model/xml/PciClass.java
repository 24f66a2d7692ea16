package dev.topo.model.xml;

/**
 * The kind of device that NCCL sees in a PCI device, by the beginning of its class code, the first
 * match in this order; anything else is a bridge ({@code kvDictPciClass}, {@code
 * nccl:src/graph/topo.cc}).
 */
public enum PciClass {
  /** A bridge or switch. */
  PCI("0x060400"),
  /** The "data direct" function of a ConnectX-8, which counts as a bridge. */
  DATA_DIRECT("0x080100"),
  NVSWITCH("0x068000"),
  /** An NVLink bridge of a POWER CPU. */
  CPU("0x068001"),
  GPU("0x03"),
  NIC("0x02");

  private final String prefix;

  PciClass(String prefix) {
    this.prefix = prefix;
  }

  /** The beginning of its codes, which NCCL takes for a device that PCI does not show. */
  public String code() {
    return prefix;
  }

  /** The class of a device whose code begins like this. */
  public static PciClass of(String text) {
    for (PciClass pciClass : values()) {
      if (text.startsWith(pciClass.prefix)) {
        return pciClass == DATA_DIRECT ? PCI : pciClass;
      }
    }
    return PCI;
  }
}
