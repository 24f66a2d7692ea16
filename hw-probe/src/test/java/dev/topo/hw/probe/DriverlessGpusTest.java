package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.nvml.Capability;
import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.sysfs.CpuFacts;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.Network;
import dev.topo.hw.sysfs.PciDevice;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverlessGpusTest {
  @Test
  void capabilityFollowsThePciDeviceId() {
    assertEquals(90, DriverlessGpus.sm("0x2335").orElseThrow());
    assertEquals(80, DriverlessGpus.sm("0x20b0").orElseThrow());
    assertEquals(89, DriverlessGpus.sm("0x2786").orElseThrow());
    assertEquals(70, DriverlessGpus.sm("0x1db1").orElseThrow());
    assertEquals(100, DriverlessGpus.sm("0x2901").orElseThrow());
    assertEquals(true, DriverlessGpus.sm("0x0001").isEmpty());
    assertEquals(true, DriverlessGpus.sm("").isEmpty());
  }

  /** Without an answer of the driver: a compute card, not one with a display. */
  @ParameterizedTest
  @CsvSource({"0x030200, 1", "0x030000, 0", "0x030001, 0"})
  void gpuDirectRdmaIsThatOfComputeCards(String pciClass, String gdr) {
    String busId = "0000:11:00.0";
    PciDevice card =
        new PciDevice(busId, pciClass, "", "", "", "", "", 16, "0", Optional.empty(), List.of());
    MachineFacts facts =
        MachineFacts.of(
            new CpuFacts(CpuArch.UNKNOWN, Optional.empty(), Map.of()), Map.of(busId, card));
    NvmlDevice gpu =
        new NvmlDevice(
            0, busId, "", 90, Capability.UNKNOWN, Capability.UNKNOWN, false, List.of(), List.of());
    XmlElement system =
        new SystemAssembler(facts, Optional.empty(), ProbeOptions.DEFAULTS, new Diagnostics())
            .assemble(List.of(gpu), 13_000, new Network(List.of(), false));
    assertEquals(
        List.of(gdr), system.all().flatMap(element -> element.attribute("gdr").stream()).toList());
  }
}
