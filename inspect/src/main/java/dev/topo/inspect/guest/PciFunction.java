package dev.topo.inspect.guest;

/**
 * A function of a PCI device.
 *
 * @param busId where it is, as NCCL writes it: {@code 0000:1b:00.0}
 * @param kind what it is, as far as that is known
 * @param vendor four hexadecimal digits, {@code 10de}; empty if not known
 * @param device four hexadecimal digits; empty if not known
 */
public record PciFunction(String busId, Kind kind, String vendor, String device) {
  /** The kinds of functions that matter to NCCL. */
  public enum Kind {
    GPU("GPU"),
    NIC("network card"),
    BRIDGE("bridge"),
    /** Something else. */
    OTHER("device"),
    /** The guest's file does not state it. */
    UNKNOWN("device");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The word for one in messages. */
    public String word() {
      return word;
    }
  }

  /** The vendor and device id of the product, {@code 10de:2330}; empty if not known. */
  String model() {
    return vendor.isEmpty() || device.isEmpty() ? "" : vendor + ":" + device;
  }

  /** Its device's first function. */
  String firstFunction() {
    return busId.substring(0, busId.length() - 1) + "0";
  }
}
