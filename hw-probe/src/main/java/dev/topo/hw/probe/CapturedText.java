package dev.topo.hw.probe;

import dev.topo.hw.sysfs.CpuFacts;
import dev.topo.hw.sysfs.InfinibandDevice;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.model.io.TextWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Content of the files of a capture: the values that the probe uses, each in its Linux format.
 * Values in another format are omitted.
 */
final class CapturedText {
  private static final Pattern BUS_ID =
      Pattern.compile("[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]");

  private static final Pattern VERSION = Pattern.compile("\\d{1,4}(?:\\.\\d{1,4}){0,3}");
  private static final Pattern RELEASE = Pattern.compile("\\d{1,3}\\.\\d{1,4}(?:\\.\\d{1,4})?");

  /** Vendors of x86 CPUs known to NCCL or Linux. */
  private static final Set<String> CPU_VENDORS =
      Set.of("GenuineIntel", "AuthenticAMD", "CentaurHauls", "Shanghai", "HygonGenuine");

  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{1,8}");
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

  /** Format of {@code cpumap} of a NUMA node: words of 32 CPUs. */
  private static final Pattern CPU_MASK = Pattern.compile("[0-9a-f]{1,8}(?:,[0-9a-f]{8}){0,255}");

  private static final Pattern LINK_SPEED =
      Pattern.compile("\\d{1,3}(?:\\.\\d{1,2})? GT/s(?: PCIe)?|Unknown(?: speed)?");

  private static final Pattern RATE =
      Pattern.compile("\\d{1,4}(?:\\.\\d{1,2})? Gb/sec \\(\\d{1,2}X ?(?:[SDQFEHNX]DR|FDR10)?\\)");

  private static final Pattern LINK_LAYER =
      Pattern.compile("InfiniBand|Ethernet|Unspecified", Pattern.CASE_INSENSITIVE);

  private static final Pattern OPERATION =
      Pattern.compile("unknown|notpresent|down|lowerlayerdown|testing|dormant|up");

  /** Format of {@code ib_port_state} of Linux. */
  private static final Pattern PORT_STATE =
      Pattern.compile("\\d: (?:NOP|DOWN|INIT|ARMED|ACTIVE|ACTIVE_DEFER)");

  private static final String CPUINFO = "/proc/cpuinfo";

  private final MachineFacts facts;
  private final Anonymizer names;
  private final Map<Pattern, UnaryOperator<String>> forms = new LinkedHashMap<>();

  CapturedText(MachineFacts facts, Anonymizer names) {
    this.facts = facts;
    this.names = names;
    String sys = "/sys/.*/";
    form("/proc/sys/kernel/osrelease", text -> start(RELEASE, text));
    form(
        "/sys/kernel/mm/memory_peers/\\w+/version|/sys/module/nvidia_peermem/version", text -> "1");
    form("/sys/module/nvidia/version", CapturedText::version);
    form(sys + "(?:class|vendor|device|subsystem_vendor|subsystem_device|flags)", only(HEX));
    form(sys + "max_link_speed", only(LINK_SPEED));
    form(sys + "(?:max_link_width|numa_node|ifindex|speed)", text -> start(NUMBER, text.strip()));
    form(sys + "cpumap", only(CPU_MASK));
    form(sys + "operstate", only(OPERATION));
    form(sys + "sys_image_guid", this::guid);
    form(sys + "state", only(PORT_STATE));
    form(sys + "link_layer", only(LINK_LAYER));
    form(sys + "rate", only(RATE));
    form(sys + "ibdev", names::infinibandName);
  }

  private void form(String path, UnaryOperator<String> form) {
    forms.put(Pattern.compile(path), form);
  }

  private static UnaryOperator<String> only(Pattern pattern) {
    return text -> matching(pattern, text);
  }

  private static String matching(Pattern pattern, String text) {
    return pattern.matcher(text).matches() ? text : "";
  }

  private static String start(Pattern pattern, String text) {
    Matcher start = pattern.matcher(text);
    return start.lookingAt() ? start.group() : "";
  }

  static String busId(String text) {
    return matching(BUS_ID, text);
  }

  static String version(String text) {
    return matching(VERSION, text);
  }

  static String cpuMask(String text) {
    return matching(CPU_MASK, text);
  }

  /** Content for a file of the machine; empty if the probe does not use it. */
  Optional<String> of(String path, String content) {
    if (path.equals(CPUINFO)) {
      return Optional.of(cpuinfo(facts.cpus()));
    }
    if (path.endsWith(".xml")) {
      return Optional.of(new CapturedTopology(names).text(content));
    }
    // NCCL drops the last character of a text, usually a line feed.
    String end = content.endsWith("\n") ? "\n" : "";
    String text = content.substring(0, content.length() - end.length());
    return forms.entrySet().stream()
        .filter(form -> form.getKey().matcher(path).matches())
        .findFirst()
        .map(form -> form.getValue().apply(text.stripTrailing()) + end);
  }

  private String guid(String text) {
    int number = names.card(InfinibandDevice.guid(text));
    return number == 0
        ? ""
        : TextWriter.format("0200:0000:%04x:%04x", number >>> 16, number & 0xffff);
  }

  /** Lines that identify the CPU model. */
  private static String cpuinfo(CpuFacts cpus) {
    String lines =
        switch (cpus.arch()) {
          case X86 -> x86(cpus.identity());
          case ARM -> "CPU implementer\t: 0x41\n";
          case POWER -> "cpu\t\t: POWER\n";
          default -> "processor\t: 0\n";
        };
    return lines + "\n";
  }

  private static String x86(Optional<CpuFacts.Identity> identity) {
    String vendor =
        identity.map(CpuFacts.Identity::vendor).filter(CPU_VENDORS::contains).orElse("unknown");
    return "vendor_id\t: "
        + vendor
        + "\n"
        + identity
            .map(
                cpu ->
                    "cpu family\t: %s\nmodel\t\t: %s\n"
                        .formatted(CpuFacts.linuxFamily(cpu.familyId()), cpu.modelId()))
            .orElse("");
  }
}
