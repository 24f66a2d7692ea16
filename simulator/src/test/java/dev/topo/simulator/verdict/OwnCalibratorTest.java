package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.fixture.TestJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnCalibratorTest {
  private static final String HEADING =
      "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n";

  private static MeasuredRun run(String... rows) {
    return RunReader.read(HEADING + String.join("\n", rows) + "\n", "own.csv", RunHints.NOTHING);
  }

  /** Ratios of times count, so that one run of twice the time does not outweigh one of half. */
  @Test
  void aCallThatWasRepeatedHasTheGeometricMeanOfItsTimes() {
    CallPredictor predictor = TestJobs.predictor(TestJobs.on(TestJobs.measured("h200-x2"), 1));
    List<String> notes = new ArrayList<>();
    List<MeasuredCall> calls =
        new OwnCalibrator(
                (run, ranks) -> predictor,
                new MeasurementSelection(measurement -> true, "all"),
                notes::add)
            .calibrate(
                List.of(
                    run("2,all_reduce,,,16777216,400,400", "2,all_reduce,,,67108864,900,900"),
                    run("2,all_reduce,,,16777216,1600,1600")),
                List.of(),
                new CalibrationNaming("own", Optional.empty(), true))
            .calibration()
            .times()
            .calls();
    assertEquals(List.of(), notes);
    assertEquals(2, calls.size(), calls.toString());
    assertEquals(800, calls.get(0).timeUs(), 1e-6);
    assertEquals(900, calls.get(1).timeUs(), 1e-6);
  }
}
