package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.TimedCall;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.calibration.TimedCall.Parts;
import dev.topo.simulator.network.NetworkFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnCalibrationTest {
  private static final OwnCalibration MINE =
      new OwnCalibration(
          "mine",
          "1 time of a test",
          "2.28.9 NCCL_ALGO=Ring",
          CalibrationFile.shipped("h200-nvswitch"),
          NetworkFile.shipped("rdma"),
          new OwnTimes(
              "sm 90, NVSwitch",
              List.of(
                  new MeasuredCall(
                      new TimedCall(
                          Collective.ALL_REDUCE,
                          "Ring/LL",
                          2,
                          16,
                          65_536,
                          39.2,
                          new Parts(0, 0.9, 0.05)),
                      41.5))));

  @Test
  void aFileIsReadAsItWasWritten() {
    OwnCalibration read = OwnCalibration.read(MINE.write(), "mine.calibration");
    assertEquals(MINE.write(), read.write());
    assertEquals(MINE.times().calls(), read.times().calls());
    assertEquals(MINE.network(), read.network());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name = mine|nome = mine|1:1: no line is called nome",
        "machine = sm 90, NVSwitch||the line machine is missing",
        "node = h200-nvswitch|node = h300|expected the name of a calibration that comes with topo",
        "Ring/LL 2 16|Ring/LL 2|time.1 \"all_reduce",
        "65536 41.500|65536 -41.5|expected operation, launch, nodes",
        "65536 41.500|65536 NaN|expected operation, launch, nodes",
        "0.900 0.050|1.900 0.050|expected operation, launch, nodes",
        "all_reduce Ring|all_produce Ring|expected operation, launch, nodes"
      })
  void aWrongLineIsNamed(String right, String wrong, String message) {
    String text = MINE.write().replace(right, wrong == null ? "# gone" : wrong);
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class, () -> OwnCalibration.read(text, "mine.calibration"));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  /** A later version may have other constants, which these times do not correct. */
  @Test
  void otherConstantsAreRefused() {
    String text = MINE.write().replaceFirst("network = rdma \\w+", "network = rdma 00000000");
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class, () -> OwnCalibration.read(text, "mine.calibration"));
    assertTrue(e.getMessage().contains("run topo calibrate again"), e.getMessage());
  }

  @Test
  void aMachineWithoutConstantsHasNone() {
    OwnCalibration none =
        new OwnCalibration("x", "y", "2.28.9", Optional.empty(), Optional.empty(), MINE.times());
    assertTrue(none.write().contains("node = none\nnetwork = none\n"), none.write());
    assertTrue(OwnCalibration.read(none.write(), "x").node().isEmpty());
  }
}
