package dev.topo.inspect.guest;

/**
 * Function of a PCI device.
 *
 * @param busId its bus id, as NCCL writes it: {@code 0000:1b:00.0}
 * @param kind its kind, as far as known
 * @param vendor four hexadecimal digits, {@code 10de}; empty if unknown
 * @param device four hexadecimal digits; empty if unknown
 */
public record PciFunction(String busId, Kind kind, String vendor, String device) {
  /** Kinds of functions that matter to NCCL. */
  public enum Kind {
    GPU("GPU"),
    NIC("network card"),
    BRIDGE("bridge"),
    /** Something else. */
    OTHER("device"),
    /** A kind that the guest's file does not state. */
    UNKNOWN("device");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** Word for a device in messages. */
    public String word() {
      return word;
    }
  }

  /** Vendor and device id of the product, {@code 10de:2330}; empty if unknown. */
  String model() {
    return vendor.isEmpty() || device.isEmpty() ? "" : vendor + ":" + device;
  }

  /** Bus id of its device's first function. */
  String firstFunction() {
    return busId.substring(0, busId.length() - 1) + "0";
  }
}
