package dev.topo.model.node;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * CPUs by name, as the attributes that NCCL writes for them: instruction set, vendor, family and
 * model of CPUID. NCCL distinguishes only the generations of {@link dev.topo.model.node.CpuModel};
 * its family is the base family plus sixteen times the extended one, so an AMD Genoa of family 25
 * is 175 ({@code ncclTopoGetXmlFromCpu}, {@code nccl:src/graph/xml.cc}). Families and models are
 * those of {@code arch/x86/include/asm/intel-family.h} and of AMD's revision guides.
 */
public enum CpuPreset {
  /** Intel Broadwell. */
  INTEL_BROADWELL("x86_64", "GenuineIntel", 6, 0x4f),
  /** Intel Skylake, Cascade Lake. */
  INTEL_SKYLAKE("x86_64", "GenuineIntel", 6, 0x55),
  /** Intel Ice Lake. */
  INTEL_ICE_LAKE("x86_64", "GenuineIntel", 6, 0x6a),
  /** Intel Sapphire Rapids. */
  INTEL_SAPPHIRE_RAPIDS("x86_64", "GenuineIntel", 6, 0x8f),
  /** Intel Emerald Rapids. */
  INTEL_EMERALD_RAPIDS("x86_64", "GenuineIntel", 6, 0xcf),
  /** Intel Granite Rapids, which NCCL takes for Sapphire Rapids. */
  INTEL_GRANITE_RAPIDS("x86_64", "GenuineIntel", 6, 0xad),
  /** AMD Rome. */
  AMD_ROME("x86_64", "AuthenticAMD", 0x8f, 0x31),
  /** AMD Milan. */
  AMD_MILAN("x86_64", "AuthenticAMD", 0xaf, 0x01),
  /** AMD Genoa. */
  AMD_GENOA("x86_64", "AuthenticAMD", 0xaf, 0x11),
  /** AMD Turin. */
  AMD_TURIN("x86_64", "AuthenticAMD", 0xbf, 0x02),
  /** Zhaoxin Yongfeng. */
  ZHAOXIN_YONGFENG("x86_64", "  Shanghai  ", 7, 0x5b),
  /** NVIDIA Grace and any other Arm. */
  ARM("arm64", "", -1, -1),
  /** IBM POWER9. */
  POWER("ppc64", "", -1, -1);

  private final String arch;
  private final String vendor;
  private final int family;
  private final int model;

  CpuPreset(String arch, String vendor, int family, int model) {
    this.arch = arch;
    this.vendor = vendor;
    this.family = family;
    this.model = model;
  }

  /** How it is written in an edit. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The CPU with this name. */
  public static Optional<CpuPreset> ofWord(String word) {
    return Arrays.stream(values()).filter(preset -> preset.word().equals(word)).findFirst();
  }

  /** All names. */
  public static String words() {
    return Arrays.stream(values()).map(CpuPreset::word).collect(Collectors.joining(", "));
  }

  /** The attributes of a {@code <cpu>} element that say what kind it is. */
  public Map<String, String> attributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("arch", arch);
    if (!vendor.isEmpty()) {
      attributes.put("vendor", vendor);
      attributes.put("familyid", String.valueOf(family));
      attributes.put("modelid", String.valueOf(model));
    }
    return attributes;
  }
}
