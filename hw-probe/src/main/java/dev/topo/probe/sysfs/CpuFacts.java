package dev.topo.probe.sysfs;

import dev.topo.model.node.CpuArch;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The CPUs of a machine.
 *
 * @param identity vendor, family and model; x86 only, as in NCCL
 * @param cpumaps the CPUs of each NUMA node as a mask of sysfs, by node number
 */
public record CpuFacts(CpuArch arch, Optional<Identity> identity, Map<String, String> cpumaps) {
  public CpuFacts {
    cpumaps = Collections.unmodifiableMap(new LinkedHashMap<>(cpumaps));
  }

  /**
   * The model according to CPUID.
   *
   * @param vendor {@code GenuineIntel}
   * @param familyId the family as NCCL computes it
   * @param modelId the model as NCCL computes it
   */
  public record Identity(String vendor, int familyId, int modelId) {}
}
