package dev.topo.hw.foreign;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * PCI device or bridge in the output of a tool.
 *
 * @param busId bus id as NCCL writes it: {@code 0000:1b:00.0}
 * @param pciClass PCI class: {@code 0x030200}
 * @param ids vendor and device in lower-case hexadecimal digits: {@code 10de:2330}; empty if
 *     unknown
 * @param subsystem vendor and device of the card
 * @param upstream bus id of the bridge that NCCL puts it below; empty at a CPU
 * @param numaNode CPU at the root; {@code -1} if the tool shows several
 * @param port name of its network device: {@code mlx5_0}; empty if it has none
 */
record ForeignDevice(
    String busId,
    String pciClass,
    String ids,
    String subsystem,
    PciLink link,
    Optional<String> upstream,
    String numaNode,
    String port) {
  private static final String GPU_VENDOR = "10de:";

  private static final Pattern BUS_ID =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  /** Name of a network device; NCCL keeps it in 128 bytes, and no driver assigns long ones. */
  private static final Pattern PORT = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,31}");

  /** True if a text is a bus id in lower case. */
  static boolean isBusId(String text) {
    return BUS_ID.matcher(text).matches();
  }

  /** True if a text can be the name of a network device. */
  static boolean isPortName(String text) {
    return PORT.matcher(text).matches();
  }

  boolean isGpu() {
    return pciClass.startsWith("0x0302")
        || (pciClass.startsWith("0x0300") && (ids.isEmpty() || ids.startsWith(GPU_VENDOR)));
  }

  boolean isNic() {
    return pciClass.startsWith("0x02") && !port.isEmpty();
  }

  /** Returns this device with the known parts of another tool's description. */
  ForeignDevice with(String newIds, String newSubsystem, PciLink newLink) {
    return new ForeignDevice(
        busId,
        pciClass,
        newIds.isEmpty() ? ids : newIds,
        newSubsystem.isEmpty() ? subsystem : newSubsystem,
        newLink.equals(PciLink.UNKNOWN) ? link : newLink,
        upstream,
        numaNode,
        port);
  }
}
