package dev.topo.inspect.lint;

import dev.topo.inspect.lint.TopologyIndex.Device;
import dev.topo.model.io.Diagnostic.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Names and numbers that must be a device's own, and bus ids that must be written as NCCL does. */
final class IdentityRules {
  /** As {@code int64ToBusId} writes it. */
  private static final Pattern BUS_ID =
      Pattern.compile("([1-9a-f][0-9a-f]*)?[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]");

  private final TopologyIndex index;
  private final Findings findings;

  IdentityRules(TopologyIndex index, Findings findings) {
    this.index = index;
    this.findings = findings;
  }

  void check() {
    index.pcis().forEach(pci -> busId(pci.element()));
    same(index.pcis(), LintRule.DUPLICATE_BUS_ID, "busid", d -> d.host() + text(d, "busid"));
    same(index.cpus(), LintRule.DUPLICATE_NUMA_ID, "numaid", this::numa);
    same(index.gpus(), LintRule.DUPLICATE_GPU_DEV, "dev", d -> d.host() + number(d, "dev"));
    same(index.gpus(), LintRule.DUPLICATE_RANK, "rank", d -> number(d, "rank"));
    same(index.nets(), LintRule.DUPLICATE_NET_DEV, "dev", d -> d.host() + number(d, "dev"));
    same(index.nets(), LintRule.DUPLICATE_NET_NAME, "name", d -> d.host() + text(d, "name"));
    same(index.nets(), LintRule.SHARED_PORT, "port", this::port);
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
    Map<String, Device> seen = new HashMap<>();
    for (Device device : devices) {
      String id = key.apply(device);
      if (id.isBlank()) {
        continue;
      }
      Device other = seen.putIfAbsent(id, device);
      if (other != null && isVirtualTwin(device, other)) {
        if (rule == LintRule.DUPLICATE_NET_NAME) {
          findings.add(
              LintRule.VIRTUAL_NET_REPEATED, device.element(), "name", "is also below another CPU");
        }
      } else if (other != null) {
        String first = other.element().name();
        String name = other.element().value("name").map(text -> " (" + text + ")").orElse("");
        String message = "is that of another <" + first + ">, too" + name;
        findings.add(rule, device.element(), attribute, message);
      }
    }
  }

  /** A port without PCI device that several processes have hung off a CPU of their own. */
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
