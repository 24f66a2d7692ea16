package dev.topo.inspect.lint;

import dev.topo.inspect.lint.TopologyIndex.Device;
import dev.topo.model.io.Diagnostic.Severity;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Rules for names and numbers that have to be unique to a device, and for bus ids that have to be
 * written as NCCL does.
 */
record IdentityRules(TopologyIndex index, Findings findings) {
  /** Bus id as {@code int64ToBusId} writes it. */
  private static final Pattern BUS_ID =
      Pattern.compile("([1-9a-f][0-9a-f]*)?[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]");

  void check() {
    index.pcis().forEach(pci -> busId(pci.element()));
    same(index.pcis(), LintRule.DUPLICATE_BUS_ID, "busid", d -> d.host() + text(d, "busid"));
    same(index.cpus(), LintRule.DUPLICATE_NUMA_ID, "numaid", this::numa);
    List<Device> devices = index.gpus().stream().filter(IdentityRules::isFirst).toList();
    same(devices, LintRule.DUPLICATE_GPU_DEV, "dev", d -> d.host() + number(d, "dev"));
    sharedCpus();
    same(index.gpus(), LintRule.DUPLICATE_RANK, "rank", d -> number(d, "rank"));
    same(index.nets(), LintRule.DUPLICATE_NET_DEV, "dev", d -> d.host() + number(d, "dev"));
    same(index.nets(), LintRule.DUPLICATE_NET_NAME, "name", d -> d.host() + text(d, "name"));
    same(index.nets(), LintRule.SHARED_PORT, "port", this::port);
  }

  /** True for the first rank on a GPU; several ranks on one GPU have its number. */
  private static boolean isFirst(Device gpu) {
    return gpu.pci()
        .map(pci -> pci.elements("gpu").get(0).offset() == gpu.element().offset())
        .orElse(true);
  }

  /**
   * Checks CPUs with all CPUs of the machine in their masks, which bind nothing, as in files for
   * virtual machines.
   */
  private void sharedCpus() {
    Map<String, BigInteger> taken = new HashMap<>();
    for (Device cpu : index.cpus()) {
      String words = text(cpu, "affinity");
      if (words.matches("[0-9a-f]{1,8}(,[0-9a-f]{8})*")) {
        BigInteger mask = new BigInteger(words.replace(",", ""), 16);
        BigInteger others = taken.getOrDefault(cpu.host(), BigInteger.ZERO);
        boolean isAll = mask.equals(others) && mask.bitCount() == mask.bitLength();
        if (mask.and(others).signum() != 0) {
          findings.add(
              LintRule.SHARED_CPUS,
              isAll ? Severity.NOTE : Severity.WARNING,
              cpu.element(),
              "affinity",
              "has CPUs of another <cpu>, too");
        }
        taken.put(cpu.host(), mask.or(others));
      }
    }
  }

  private static String text(Device device, String attribute) {
    return device.element().text(attribute).toLowerCase(Locale.ROOT);
  }

  private static String number(Device device, String attribute) {
    return device.element().value(attribute).isEmpty() ? "" : "" + device.number(attribute, 0);
  }

  private String numa(Device cpu) {
    return cpu.host() + number(cpu, "numaid");
  }

  private String port(Device net) {
    String guid = text(net, "guid").replaceFirst("^0x0*", "");
    return guid.isEmpty() ? "" : net.host() + guid + " " + net.number("port", 0);
  }

  private void same(
      List<Device> devices, LintRule rule, String attribute, Function<Device, String> key) {
    Map<String, Device> firstById = new HashMap<>();
    for (Device device : devices) {
      String id = key.apply(device);
      if (id.isBlank()) {
        continue;
      }
      Device earlier = firstById.putIfAbsent(id, device);
      if (earlier != null && isVirtualTwin(device, earlier)) {
        if (rule == LintRule.DUPLICATE_NET_NAME) {
          findings.add(
              LintRule.VIRTUAL_NET_REPEATED, device.element(), "name", "is also below another CPU");
        }
      } else if (earlier != null) {
        String first = earlier.element().name();
        String name = earlier.element().value("name").map(text -> " (" + text + ")").orElse("");
        String message = "is that of another <" + first + ">, too" + name;
        findings.add(rule, device.element(), attribute, message);
      }
    }
  }

  /**
   * True if a port without a PCI device occurs twice because several processes attached it to their
   * own CPU.
   */
  private static boolean isVirtualTwin(Device device, Device other) {
    return device.element().name().equals("net")
        && device.busId().isEmpty()
        && other.busId().isEmpty()
        && text(device, "name").equals(text(other, "name"))
        && device.cpu().map(LintElement::offset).orElse(0)
            != (int) other.cpu().map(LintElement::offset).orElse(0);
  }

  private void busId(LintElement pci) {
    LintAttribute attribute = pci.attribute("busid").orElse(null);
    if (attribute == null || BUS_ID.matcher(attribute.value()).matches()) {
      return;
    }
    boolean device = !pci.elements("gpu").isEmpty() || !pci.elements("nic").isEmpty();
    Severity severity = device ? Severity.ERROR : Severity.WARNING;
    String fixed =
        attribute.value().toLowerCase(Locale.ROOT).replaceFirst("^0000([0-9a-f]{4}:)", "$1");
    if (BUS_ID.matcher(fixed).matches()) {
      findings.add(
          LintRule.BUS_ID_FORM,
          severity,
          pci,
          attribute,
          "is not how NCCL writes it, expected \"" + fixed + "\"",
          findings.edit(attribute.valueOffset(), attribute.valueEnd(), fixed));
    } else {
      findings.add(LintRule.BUS_ID_FORM, pci, "busid", "is no bus id such as 0000:1b:00.0");
    }
  }
}
