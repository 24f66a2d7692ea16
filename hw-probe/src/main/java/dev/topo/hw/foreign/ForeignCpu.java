package dev.topo.hw.foreign;

import dev.topo.hw.sysfs.CpuFacts;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * NUMA node in the output of a tool. Unknown texts are empty.
 *
 * @param affinity its CPUs in sysfs format: {@code ffffffff,00000000}
 * @param arch {@code x86_64}, {@code arm64} or {@code ppc64}
 * @param family CPU family in Linux's numbering
 */
record ForeignCpu(
    String numaNode, String affinity, String arch, String vendor, String family, String model) {
  private static final String NUMBER = "[0-9]{1,6}";

  /** Attributes of {@code <cpu>}; unknown ones are absent. */
  Map<String, String> attributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("numaid", numaNode);
    put(attributes, "affinity", affinity);
    put(attributes, "arch", arch);
    if (arch.equals("x86_64") && family.matches(NUMBER) && model.matches(NUMBER)) {
      put(attributes, "vendor", vendor);
      attributes.put("familyid", String.valueOf(CpuFacts.ncclFamily(Integer.parseInt(family))));
      attributes.put("modelid", model);
    }
    return attributes;
  }

  private static void put(Map<String, String> attributes, String name, String value) {
    if (!value.isEmpty()) {
      attributes.put(name, value);
    }
  }
}
