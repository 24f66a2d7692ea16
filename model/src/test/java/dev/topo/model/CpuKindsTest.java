package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link CpuArch}, {@link CpuVendor} and {@link CpuModel} by what stands in topology files. */
class CpuKindsTest {
  @ParameterizedTest
  @CsvSource({
    "x86_64, X86",
    "arm64, ARM",
    "ppc64, POWER",
    "ppc64le, POWER",
    "x86_64_v3, X86",
    "x86, UNKNOWN",
    "aarch64, UNKNOWN",
    "'', UNKNOWN",
    "X86_64, UNKNOWN",
  })
  void architectureIsKnownByTheBeginningOfItsName(String name, CpuArch arch) {
    assertEquals(arch, CpuArch.ofXmlName(name));
  }

  @ParameterizedTest
  @CsvSource({
    "GenuineIntel, INTEL",
    "AuthenticAMD, AMD",
    "CentaurHauls, ZHAOXIN",
    "'  Shanghai  ', ZHAOXIN",
    "GenuineIntel2, INTEL",
    "Shanghai, UNKNOWN",
    "HygonGenuine, UNKNOWN",
    "'', UNKNOWN",
  })
  void vendorIsKnownByTheBeginningOfItsName(String name, CpuVendor vendor) {
    assertEquals(vendor, CpuVendor.ofXmlName(name));
  }

  @ParameterizedTest
  @CsvSource({
    "6, 0x4f, INTEL_BROADWELL",
    "6, 0x54, INTEL_BROADWELL",
    "6, 0x55, INTEL_SKYLAKE",
    "6, 0x6a, INTEL_SKYLAKE",
    "6, 0x8e, INTEL_SKYLAKE",
    "6, 0x8f, INTEL_SAPPHIRE_RAPIDS",
    "6, 0xce, INTEL_SAPPHIRE_RAPIDS",
    "6, 0xcf, INTEL_EMERALD_RAPIDS",
    "6, 0xff, INTEL_EMERALD_RAPIDS",
    "6, 0xac, INTEL_SAPPHIRE_RAPIDS",
    "6, 0xad, INTEL_GRANITE_RAPIDS",
    "6, 0xaf, INTEL_GRANITE_RAPIDS",
    "6, 0xb0, INTEL_SAPPHIRE_RAPIDS",
    "5, 0xff, INTEL_BROADWELL",
    "15, 0x8f, INTEL_BROADWELL",
  })
  void intelGenerationGoesByFamilyAndModel(int family, String modelId, CpuModel model) {
    assertEquals(model, CpuModel.ofIntel(family, Integer.decode(modelId)));
  }

  /** Families as CPUID returns them, and as NCCL up to 2.30 writes them. */
  @ParameterizedTest
  @CsvSource({
    "23, AMD_ZEN_1",
    "143, AMD_ZEN_1",
    "25, AMD_ZEN_3",
    "175, AMD_ZEN_3",
    "26, AMD_ZEN_5",
    "191, AMD_ZEN_5",
    "27, AMD_ZEN_1"
  })
  void amdGenerationGoesByFamily(int family, CpuModel model) {
    assertEquals(model, CpuModel.ofAmd(family));
  }

  @ParameterizedTest
  @CsvSource({"7, 0x5b, ZHAOXIN_YONGFENG", "7, 0x5a, OTHER", "6, 0x5b, OTHER"})
  void yongfengIsOneFamilyAndModel(int family, String modelId, CpuModel model) {
    assertEquals(model, CpuModel.ofZhaoxin(family, Integer.decode(modelId)));
  }

  @Test
  void numbersAreThoseOfNcclsLog() {
    assertEquals(
        List.of(0, 1, 2, 3), Arrays.stream(CpuArch.values()).map(CpuArch::number).toList());
    assertEquals(
        List.of(-1, 0, 1, 2, 3), Arrays.stream(CpuVendor.values()).map(CpuVendor::number).toList());
    assertEquals(
        List.of(-1, 1, 2, 3, 3, 4, 1, 2, 3, 1),
        Arrays.stream(CpuModel.values()).map(CpuModel::number).toList());
  }
}
