package dev.topo.model.xml;

/**
 * The kind of a PCI device in NCCL, by the prefix of its class code: the first match in this order,
 * otherwise a bridge ({@code kvDictPciClass}, {@code nccl:src/graph/topo.cc}).
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

  /** The prefix of its codes, which NCCL uses for a device that PCI does not list. */
  public String code() {
    return prefix;
  }

  /** The class of a device with this code, by prefix. */
  public static PciClass of(String text) {
    for (PciClass pciClass : values()) {
      if (text.startsWith(pciClass.prefix)) {
        return pciClass == DATA_DIRECT ? PCI : pciClass;
      }
    }
    return PCI;
  }
}
