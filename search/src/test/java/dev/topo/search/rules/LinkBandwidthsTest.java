package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkBandwidthsTest {
  @ParameterizedTest
  @CsvSource({
    "53, 20",
    "60, 18",
    "61, 18",
    "70, 20",
    "75, 20",
    "80, 20",
    "86, 12",
    "87, 20",
    "89, 20",
    "90, 20.6",
    "100, 40.1",
    "103, 40.1",
    "120, 40.1"
  })
  void nvlinkGoesByComputeCapability(int sm, float bwGBps) {
    assertEquals(bwGBps, NcclProfile.DEFAULT.links().nvlink(sm));
  }

  @ParameterizedTest
  @CsvSource({
    "2.5 GT/s, 16, 3",
    "2.5 GT/s PCIe, 16, 3",
    "5 GT/s, 16, 6",
    "5.0 GT/s PCIe, 16, 6",
    "8 GT/s, 16, 12",
    "8.0 GT/s PCIe, 16, 12",
    "16 GT/s, 16, 24",
    "16.0 GT/s PCIe, 16, 24",
    "32 GT/s, 16, 48",
    "32.0 GT/s PCIe, 16, 48",
    "64.0 GT/s PCIe, 16, 96",
    "16.0 GT/s PCIe, 8, 12",
    "8.0 GT/s PCIe, 1, 0.75",
    "2.5 GT/s, 1, 0.1875",
  })
  void pciGoesBySpeedAndWidth(String speed, int width, float bwGBps) {
    assertEquals(bwGBps, NcclProfile.DEFAULT.links().pci(speed, width));
  }

  @Test
  void pciOfVirtualMachinesCountsAsSixteenLanes() {
    assertEquals(24, NcclProfile.DEFAULT.links().pci("16.0 GT/s PCIe", 0));
  }

  @ParameterizedTest
  @CsvSource({
    "'', true",
    "Unknown, true",
    "128 GT/s, true",
    "64 GT/s, true",
    "8.0 GT/s PCIe, false"
  })
  void unknownPciSpeedCountsAsGen3(String speed, boolean unknown) {
    assertEquals(!unknown, NcclProfile.DEFAULT.links().isKnownPciSpeed(speed));
    assertEquals(12, NcclProfile.DEFAULT.links().pci(speed, 16));
  }

  @ParameterizedTest
  @CsvSource({"400000, 50", "25000, 3.125", "1, 0.000125", "0, 1.25", "-1, 1.25"})
  void portGoesBySpeedAndDefaultsToTenGigabits(int mbps, float bwGBps) {
    assertEquals(bwGBps, NcclProfile.DEFAULT.links().net(mbps));
  }

  @Test
  void c2cIsSpeedTimesLinks() {
    assertEquals(450, NcclProfile.DEFAULT.links().c2c(45_000, 10));
    assertEquals(0, NcclProfile.DEFAULT.links().c2c(45_000, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "POWER, NONE, OTHER, 32",
    "ARM, NONE, OTHER, 6",
    "UNKNOWN, NONE, OTHER, 5000",
    "X86, INTEL, INTEL_BROADWELL, 6",
    "X86, INTEL, INTEL_SKYLAKE, 10",
    "X86, INTEL, INTEL_SAPPHIRE_RAPIDS, 22",
    "X86, INTEL, INTEL_EMERALD_RAPIDS, 40",
    "X86, AMD, OTHER, 16",
    "X86, AMD, AMD_ZEN_1, 16",
    "X86, AMD, AMD_ZEN_3, 16",
    "X86, AMD, AMD_ZEN_5, 16",
    "X86, ZHAOXIN, OTHER, 6",
    "X86, ZHAOXIN, ZHAOXIN_YONGFENG, 9",
    "X86, UNKNOWN, OTHER, 5000",
  })
  void cpuInterconnectGoesByArchitectureVendorAndModel(
      CpuArch arch, CpuVendor vendor, CpuModel model, float bwGBps) {
    assertEquals(
        bwGBps,
        NcclProfile.DEFAULT
            .links()
            .betweenCpus(new CpuNode(new NodeId(0, 0), 0, arch, vendor, model)));
  }

  @ParameterizedTest
  @CsvSource({"OTHER, 16", "AMD_ZEN_1, 16", "AMD_ZEN_3, 24", "AMD_ZEN_5, 32"})
  void generationsOfAmdDifferFrom231On(CpuModel model, float bwGBps) {
    assertEquals(
        bwGBps,
        NcclProfile.of("2.31.2")
            .links()
            .betweenCpus(new CpuNode(new NodeId(0, 0), 0, CpuArch.X86, CpuVendor.AMD, model)));
  }
}
