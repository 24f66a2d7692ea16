package dev.topo.probe.sysfs.network;

import dev.topo.probe.sysfs.BusPath;
import dev.topo.probe.sysfs.SysfsRoot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads InfiniBand devices in the order in which libibverbs gives them to NCCL: the order in which
 * the kernel registered them, which the numbers of their device files show. That is a guess where
 * devices came and went since.
 */
public record InfinibandReader(SysfsRoot root) {
  private static final String CLASS = "/sys/class/infiniband/";
  private static final String VERBS = "/sys/class/infiniband_verbs";

  /** First number of the file {@code state} of a port that is up ({@code IBV_PORT_ACTIVE}). */
  private static final String ACTIVE = "4:";

  private static final Pattern VERBS_NAME = Pattern.compile("uverbs[0-9]{1,6}");
  private static final Pattern PORT_NAME = Pattern.compile("[0-9]{1,3}");
  private static final Pattern GUID = Pattern.compile("(?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}");

  public List<InfinibandDevice> read() {
    Map<String, Integer> numbers = verbsNumbers();
    return root.list("/sys/class/infiniband").stream()
        .map(name -> device(name, Optional.ofNullable(numbers.get(name))))
        .sorted(
            Comparator.comparingInt(
                    (InfinibandDevice device) -> device.verbsNumber().orElse(Integer.MAX_VALUE))
                .thenComparing(InfinibandDevice::name))
        .toList();
  }

  private Map<String, Integer> verbsNumbers() {
    List<String> files = root.list("/dev/infiniband");
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

  private InfinibandDevice device(String name, Optional<Integer> verbsNumber) {
    String folder = CLASS + name;
    Optional<String> place = root.realPath(folder + "/device");
    return new InfinibandDevice(
        name,
        verbsNumber,
        place.map(path -> BusPath.read(root, path)),
        guid(root.text(folder + "/sys_image_guid").orElse("")),
        place
            .flatMap(path -> root.realPath(path + "/driver"))
            .map(path -> path.substring(path.lastIndexOf('/') + 1))
            .orElse(""),
        ports(folder + "/ports"));
  }

  private List<InfinibandPort> ports(String folder) {
    List<InfinibandPort> ports = new ArrayList<>();
    for (String port : root.list(folder)) {
      if (PORT_NAME.matcher(port).matches()) {
        String files = folder + "/" + port;
        ports.add(
            new InfinibandPort(
                Integer.parseInt(port),
                root.text(files + "/state").orElse("").startsWith(ACTIVE),
                LinkLayer.ofSysfsName(root.text(files + "/link_layer").orElse("")),
                InfinibandRate.mbps(root.text(files + "/rate").orElse(""))));
      }
    }
    ports.sort(Comparator.comparingInt(InfinibandPort::number));
    return ports;
  }

  /**
   * The number that NCCL makes of a GUID. The card gives the bytes of {@code 0011:2233:4455:6677}
   * in this order, and NCCL takes them for a number of the host, which has the lowest byte first.
   */
  static long guid(String text) {
    return GUID.matcher(text).matches()
        ? Long.reverseBytes(Long.parseUnsignedLong(text.replace(":", ""), 16))
        : 0;
  }
}
