package dev.topo.hw.sysfs;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Device that Linux lists as InfiniBand: InfiniBand itself, RoCE, or iWARP.
 *
 * @param name {@code mlx5_0}
 * @param verbsNumber number of its device file, {@code 0} for {@code uverbs0}; empty if a process
 *     cannot open it
 * @param path its location, if it is on PCI or another bus
 * @param systemImageGuid GUID of the card, as the number that NCCL derives
 * @param driver the kernel driver, {@code mlx5_core}; empty if unknown
 */
public record InfinibandDevice(
    String name,
    Optional<Integer> verbsNumber,
    Optional<BusPath> path,
    long systemImageGuid,
    String driver,
    List<Port> ports) {
  private static final String CLASS = "/sys/class/infiniband";
  private static final String VERBS = "/sys/class/infiniband_verbs";

  /** First number in the file {@code state} of a port that is up ({@code IBV_PORT_ACTIVE}). */
  private static final String ACTIVE = "4:";

  private static final Pattern VERBS_NAME = Pattern.compile("uverbs[0-9]{1,6}");
  private static final Pattern PORT_NAME = Pattern.compile("[0-9]{1,3}");
  private static final Pattern GUID = Pattern.compile("(?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}");
  private static final Pattern RATE =
      Pattern.compile("[0-9.]+ Gb/sec \\(([0-9]{1,2})X ?([A-Z0-9]*)\\)");

  /** {@code ibvSpeeds}, {@code nccl:src/transport/net_ib.cc}. */
  private static final Map<String, Integer> MBPS_PER_LANE =
      Map.of(
          "SDR", 2_500,
          "DDR", 5_000,
          "QDR", 10_000,
          "FDR10", 10_000,
          "FDR", 14_000,
          "EDR", 25_000,
          "HDR", 50_000,
          "NDR", 100_000,
          "XDR", 200_000);

  public InfinibandDevice {
    ports = List.copyOf(ports);
  }

  /**
   * Port of a device.
   *
   * @param speedMbps its speed in NCCL's units (Mb/s); 0 if unknown
   */
  public record Port(int number, boolean active, LinkLayer linkLayer, int speedMbps) {}

  /**
   * Reads the devices in the order in which libibverbs returns them to NCCL: the order of
   * registration with the kernel, which the numbers of their device files show. This is a guess if
   * devices were removed or added since.
   */
  static List<InfinibandDevice> readAll(SysfsRoot root) {
    Map<String, Integer> numbers = verbsNumbers(root);
    return root.list(CLASS).stream()
        .map(name -> read(root, name, Optional.ofNullable(numbers.get(name))))
        .sorted(
            Comparator.comparingInt(
                    (InfinibandDevice device) -> device.verbsNumber().orElse(Integer.MAX_VALUE))
                .thenComparing(InfinibandDevice::name))
        .toList();
  }

  private static Map<String, Integer> verbsNumbers(SysfsRoot root) {
    Set<String> files = Set.copyOf(root.list("/dev/infiniband"));
    Map<String, Integer> numbers = new HashMap<>();
    for (String verbs : root.list(VERBS)) {
      if (VERBS_NAME.matcher(verbs).matches() && files.contains(verbs)) {
        root.text(VERBS + "/" + verbs + "/ibdev")
            .ifPresent(
                device -> numbers.put(device, Integer.valueOf(verbs.substring("uverbs".length()))));
      }
    }
    return numbers;
  }

  private static InfinibandDevice read(SysfsRoot root, String name, Optional<Integer> verbsNumber) {
    String folder = CLASS + "/" + name;
    Optional<String> place = root.realPath(folder + "/device");
    return new InfinibandDevice(
        name,
        verbsNumber,
        place.map(path -> BusPath.read(root, path)),
        guid(root.text(folder + "/sys_image_guid").orElse("")),
        place.flatMap(path -> root.realPath(path + "/driver")).map(FileTree::name).orElse(""),
        root.list(folder + "/ports").stream()
            .filter(port -> PORT_NAME.matcher(port).matches())
            .map(port -> port(root, folder + "/ports/" + port, Integer.parseInt(port)))
            .sorted(Comparator.comparingInt(Port::number))
            .toList());
  }

  private static Port port(SysfsRoot root, String folder, int number) {
    return new Port(
        number,
        root.text(folder + "/state").orElse("").startsWith(ACTIVE),
        LinkLayer.parse(root.text(folder + "/link_layer").orElse("")),
        mbps(root.text(folder + "/rate").orElse("")));
  }

  /**
   * Number that NCCL derives from a GUID. The card reports the bytes of {@code 0011:2233:4455:6677}
   * in this order, and NCCL reads them as a number in the host's byte order, lowest byte first.
   */
  public static long guid(String text) {
    return GUID.matcher(text).matches()
        ? Long.reverseBytes(Long.parseUnsignedLong(text.replace(":", ""), 16))
        : 0;
  }

  /**
   * Speed in Mb/s of a port whose file {@code rate} has this text; 0 if it is malformed. NCCL
   * multiplies lanes by a round number per generation, so that FDR is 56000 where the wire carries
   * 54545.
   */
  static int mbps(String text) {
    Matcher rate = RATE.matcher(text);
    if (!rate.matches()) {
      return 0;
    }
    // The kernel writes no name for single data rate.
    String generation = rate.group(2).isEmpty() ? "SDR" : rate.group(2);
    return Integer.parseInt(rate.group(1)) * MBPS_PER_LANE.getOrDefault(generation, 0);
  }
}
