package dev.topo.hw.sysfs;

import dev.topo.model.CpuModel.CpuArch;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * CPUs of a machine.
 *
 * @param identity vendor, family and model; x86 only, as in NCCL
 * @param cpumaps CPU mask of each NUMA node in sysfs format, by node number
 */
public record CpuFacts(CpuArch arch, Optional<Identity> identity, Map<String, String> cpumaps) {
  private static final String NODES = "/sys/devices/system/node";
  private static final Pattern NODE = Pattern.compile("node[0-9]{1,6}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

  /** First family that Linux computes as a sum and NCCL by shifting. */
  private static final int EXTENDED_FAMILY = 15;

  public CpuFacts {
    cpumaps = Collections.unmodifiableMap(new LinkedHashMap<>(cpumaps));
  }

  /**
   * Model according to CPUID.
   *
   * @param vendor {@code GenuineIntel}
   * @param familyId the family as NCCL computes it
   * @param modelId the model as NCCL computes it
   */
  public record Identity(String vendor, int familyId, int modelId) {}

  /** Reads the CPUs as {@code nccl:src/graph/xml.cc#ncclTopoGetXmlFromCpu} does. */
  static CpuFacts read(SysfsRoot root) {
    Map<String, String> cpuinfo = firstProcessor(root.read("/proc/cpuinfo").orElse(""));
    CpuArch arch = arch(cpuinfo);
    return new CpuFacts(
        arch, arch == CpuArch.X86 ? identity(cpuinfo) : Optional.empty(), cpumaps(root));
  }

  private static Map<String, String> cpumaps(SysfsRoot root) {
    List<String> nodes =
        root.list(NODES).stream()
            .filter(name -> NODE.matcher(name).matches())
            .map(name -> name.substring("node".length()))
            .sorted(Comparator.comparingInt(Integer::parseInt))
            .toList();
    Map<String, String> maps = new LinkedHashMap<>();
    for (String node : nodes) {
      maps.put(node, root.attribute(NODES + "/node" + node + "/cpumap"));
    }
    return maps;
  }

  /** Values in {@code /proc/cpuinfo} up to the first blank line, by name. */
  private static Map<String, String> firstProcessor(String cpuinfo) {
    Map<String, String> lines = new LinkedHashMap<>();
    cpuinfo
        .lines()
        .dropWhile(line -> line.indexOf(':') < 0)
        .takeWhile(line -> !line.isBlank())
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> lines.putIfAbsent(parts[0].strip(), parts[1].strip()));
    return lines;
  }

  private static CpuArch arch(Map<String, String> cpuinfo) {
    if (cpuinfo.containsKey("vendor_id")) {
      return CpuArch.X86;
    }
    if (cpuinfo.containsKey("CPU implementer")) {
      return CpuArch.ARM;
    }
    return cpuinfo.getOrDefault("cpu", "").startsWith("POWER") ? CpuArch.POWER : CpuArch.UNKNOWN;
  }

  private static Optional<Identity> identity(Map<String, String> cpuinfo) {
    String family = cpuinfo.getOrDefault("cpu family", "");
    String model = cpuinfo.getOrDefault("model", "");
    if (!NUMBER.matcher(family).matches() || !NUMBER.matcher(model).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Identity(
            cpuinfo.getOrDefault("vendor_id", ""),
            ncclFamily(Integer.parseInt(family)),
            Integer.parseInt(model)));
  }

  /**
   * NCCL's family for Linux's. CPUID has a base of four bits and an extension that counts only if
   * the base is 15. Linux adds the two; NCCL shifts the extension by four bits first, so that Zen 3
   * and 4, family 25, are 175.
   */
  public static int ncclFamily(int linuxFamily) {
    return linuxFamily < EXTENDED_FAMILY
        ? linuxFamily
        : EXTENDED_FAMILY + ((linuxFamily - EXTENDED_FAMILY) << 4);
  }

  /** Inverse of {@link #ncclFamily}. */
  public static int linuxFamily(int ncclFamily) {
    return ncclFamily < EXTENDED_FAMILY
        ? ncclFamily
        : EXTENDED_FAMILY + ((ncclFamily - EXTENDED_FAMILY) >> 4);
  }
}
