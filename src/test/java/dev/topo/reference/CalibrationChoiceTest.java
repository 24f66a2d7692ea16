package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrationChoiceTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "dgx-h100, h100-nvswitch",
    "hgx-h100-vm-flat, h100-nvswitch",
    "hgx-h200-4nic, h200-nvswitch",
    "hgx-h200, h200-nvswitch",
    "hgx-b300, b200-nvswitch",
    "rtx-pro-6000-8, pcie",
    "dgx-a100, a100-nvswitch",
    "hgx-b200, b200-nvswitch",
    "l40s-8-switched, pcie",
    "dgx-2, none",
    "dgx-1v, none",
    "a100-pcie-4-bridged, none",
    "gb200-tray, gb200-nvswitch",
    "gh200, none"
  })
  void calibrationsAreForMachinesOfTheirKindOnly(String machine, String calibration) {
    assertEquals(
        calibration,
        CalibrationChoice.of(
                new TopologyReader()
                    .read(
                        TOPOLOGIES.resolve(machine + ".xml"), GpuSelection.ALL, new Diagnostics()))
            .calibration()
            .map(Calibration::name)
            .orElse("none"));
  }

  /** Files that do not name the model, or name several, take what all Hopper has in common. */
  @ParameterizedTest
  @CsvSource({
    "device=\"0x2330\", , 8",
    "device=\"0x2330\", device=\"0xffff\", 8",
    "device=\"0x2330\", device=\"0x2335\", 1",
    "device=\"0x2330\", device=\"0x2324\", 8"
  })
  void hopperOfAnUnknownModelTakesTheCommonCalibration(String is, String instead, int gpus)
      throws IOException {
    String text = Files.readString(TOPOLOGIES.resolve("dgx-h100.xml"));
    for (int gpu = 0; gpu < gpus; gpu++) {
      text = text.replaceFirst(is, instead == null ? "" : instead);
    }
    CalibrationChoice choice = choice(text);
    assertEquals("h200-nvswitch", choice.calibration().orElseThrow().name());
    assertEquals("sm 90, NVSwitch", choice.machine());
  }

  @Test
  void aModelIsNamedInAnyCase() throws IOException {
    String text = Files.readString(TOPOLOGIES.resolve("hgx-h200.xml"));
    CalibrationChoice choice = choice(text.replace("0x2335", "0X2339"));
    assertEquals("h100-nvswitch", choice.calibration().orElseThrow().name());
    assertEquals("sm 90, NVSwitch, H100", choice.machine());
  }

  private CalibrationChoice choice(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("machine.xml"), text);
    return CalibrationChoice.of(
        new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics()));
  }

  /** Where a fit to times of a machine starts that no calibration is for. */
  @ParameterizedTest
  @CsvSource({
    "dgx-2, a100-nvswitch",
    "gh200-4, h200-nvswitch",
    "a100-pcie-4-bridged, a100-nvswitch",
    "rtx4090-2, pcie"
  })
  void theNearestGenerationIsAStart(String machine, String nearest) {
    assertEquals(
        nearest,
        CalibrationChoice.nearest(
                new TopologyReader()
                    .read(
                        TOPOLOGIES.resolve(machine + ".xml"), GpuSelection.ALL, new Diagnostics()))
            .name());
  }

  @ParameterizedTest
  @CsvSource({
    "hgx-h200, false",
    "hgx-b200, false",
    "hgx-b300, true",
    "gb300-tray, true",
    "l40s-8-switched, false",
    "rtx-pro-6000-8, false",
    "dgx-2, false"
  })
  void aGenerationWithoutTimesBorrowsConstants(String machine, boolean borrowed) {
    Topology topology =
        new TopologyReader()
            .read(TOPOLOGIES.resolve(machine + ".xml"), GpuSelection.ALL, new Diagnostics());
    assertEquals(
        borrowed,
        CalibrationChoice.of(topology)
            .calibration()
            .filter(nearest -> CalibrationChoice.isBorrowed(nearest, topology))
            .isPresent());
  }
}
