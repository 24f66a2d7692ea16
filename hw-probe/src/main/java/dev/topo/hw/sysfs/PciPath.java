package dev.topo.hw.sysfs;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Location in the PCI tree as a sysfs path: {@code
 * /sys/devices/pci0000:16/0000:16:01.0/0000:17:00.0}.
 *
 * @param text the path, with all links followed
 */
record PciPath(String text) {
  private static final Pattern BUS_ID =
      Pattern.compile("[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]");

  /** Length of a bus id in characters. */
  private static final int BUS_ID_LENGTH = 12;

  /** True if a text has the form {@code 0000:1b:00.0}. */
  static boolean isBusId(String text) {
    return BUS_ID.matcher(text).matches();
  }

  /**
   * Bus id that NCCL looks up for a bus id from NVML: in lower case, and no longer than {@code
   * 0000:1b:00.0} ({@code nccl:src/graph/xml.cc#getPciPath}).
   */
  static String lookupKey(String busId) {
    String lower = busId.toLowerCase(Locale.ROOT);
    return lower.length() <= BUS_ID_LENGTH ? lower : lower.substring(0, BUS_ID_LENGTH);
  }

  /** Last part of the path: the bus id of the device. */
  String name() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  PciPath parent() {
    return new PciPath(text.substring(0, Math.max(0, text.lastIndexOf('/'))));
  }

  /**
   * Bridge under which NCCL places this device: two levels up, above the port of the bridge; empty
   * if one of the two is the root complex ({@code nccl:src/graph/xml.cc#ncclTopoGetXmlFromSys}).
   */
  Optional<String> upstream() {
    PciPath port = parent();
    PciPath bridge = port.parent();
    return isBusId(port.name()) && isBusId(bridge.name())
        ? Optional.of(bridge.name())
        : Optional.empty();
  }

  /**
   * Location that NCCL assigns to an InfiniBand device: function 0, so that the ports of a card
   * share it, and also device 0 if virtual functions are merged ({@code
   * nccl:src/transport/net_ib.cc#ncclIbGetPciPath}).
   */
  PciPath firstFunction(boolean mergeVirtualFunctions) {
    if (!isBusId(name())) {
      return this;
    }
    int end = text.length();
    return mergeVirtualFunctions
        ? new PciPath(text.substring(0, end - 4) + "00.0")
        : new PciPath(text.substring(0, end - 1) + "0");
  }
}
