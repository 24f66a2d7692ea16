package dev.topo.inspect.lint;

import dev.topo.inspect.lint.TopologyIndex.Device;
import java.util.List;

/**
 * Rules for attributes that a file may omit because NCCL reads them from the machine, and for
 * elements where it does not: a process completes only the elements above its own GPU and above
 * NICs that the file does not list ({@code ncclTopoGetXmlFromSys}, {@code ncclTopoFillNet}).
 */
record CompletenessRules(TopologyIndex index, Findings findings) {
  void check() {
    for (Device cpu : index.cpus()) {
      check(cpu.element(), checkCpu(cpu.element()), List.of("affinity"));
    }
    for (Device pci : index.pcis()) {
      check(
          pci.element(),
          missing(pci.element(), List.of("class", "link_speed", "link_width")),
          List.of("vendor", "device", "subsystem_vendor", "subsystem_device"));
    }
  }

  private static List<String> missing(LintElement element, List<String> names) {
    return names.stream().filter(name -> element.attribute(name).isEmpty()).toList();
  }

  /**
   * Returns the missing attributes that NCCL reads from the machine; reports a missing modelid that
   * NCCL does not fill in.
   */
  private List<String> checkCpu(LintElement cpu) {
    if (!cpu.value("arch").orElse("x86_64").startsWith("x86_64")) {
      return List.of();
    }
    if (!cpu.value("vendor").orElse("GenuineIntel").startsWith("GenuineIntel")) {
      return missing(cpu, List.of("arch"));
    }
    if (cpu.attribute("familyid").isEmpty()) {
      return missing(cpu, List.of("arch", "vendor", "familyid", "modelid"));
    }
    if (cpu.attribute("modelid").isEmpty()) {
      findings.add(
          LintRule.MISSING_ATTRIBUTE,
          cpu,
          "attribute modelid is missing, and NCCL does not fill it in beside a familyid");
    }
    return missing(cpu, List.of("arch", "vendor"));
  }

  private void check(LintElement element, List<String> required, List<String> optional) {
    List<String> missingOptional = missing(element, optional);
    boolean hasListedNet =
        index.netsBelow(element).stream().anyMatch(net -> !net.element().text("name").isEmpty());
    boolean hasGpuBelow = index.hasGpuBelow(element);
    boolean hasGpuElsewhere =
        index.gpus().isEmpty() || index.gpus().stream().anyMatch(gpu -> !gpu.isBelow(element));
    if (!required.isEmpty() && hasListedNet && hasGpuElsewhere) {
      findings.add(LintRule.MISSING_BESIDE_NIC, element, list(required) + " missing");
    } else if (hasListedNet && hasGpuBelow && hasGpuElsewhere && !missingOptional.isEmpty()) {
      findings.add(LintRule.UNEQUAL_WHEN_FUSED, element, list(missingOptional) + " missing");
    } else if (!required.isEmpty()) {
      findings.add(LintRule.FILLED_AT_RUN_TIME, element, list(required) + " missing");
    }
  }

  private static String list(List<String> names) {
    return (names.size() == 1 ? "attribute " : "attributes ")
        + String.join(", ", names)
        + (names.size() == 1 ? " is" : " are");
  }
}
