package dev.topo.simulator.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.CallShape.TrafficRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallTimesTest {
  /** All kernels, with the links and paths that any constant counts for. */
  private static List<CallShape> calls() {
    List<CallShape> calls = new ArrayList<>();
    for (boolean isIndirect : new boolean[] {false, true}) {
      Contention hops = new Contention(50, isIndirect ? 60 : 0, isIndirect, isIndirect);
      TrafficRoute route = new TrafficRoute(List.of(hops, hops, hops, hops), hops);
      for (Collective collective : Collective.values()) {
        for (Algorithm algorithm : List.of(Algorithm.RING, Algorithm.TREE, Algorithm.NVLS)) {
          for (Protocol protocol : Protocol.values()) {
            for (long share : new long[] {64, 1 << 26}) {
              if (CallShape.isCovered(collective, algorithm)) {
                calls.add(
                    new CallShape(
                        collective,
                        algorithm,
                        protocol,
                        false,
                        4,
                        1,
                        2,
                        512,
                        share,
                        1 << 19,
                        route,
                        !isIndirect && share > 64,
                        DataType.FLOAT32));
              }
            }
          }
        }
      }
    }
    return calls;
  }

  @Test
  void aChangedConstantGivesTheSameTimesAsANewModel() {
    List<CallShape> calls = calls();
    CallTimes before = new CallTimes(calls, new TimingModel(Calibration.typical()));
    for (Constant constant : Constant.values()) {
      TimingModel changed =
          new TimingModel(Calibration.typical().with(Map.of(constant, 1.5 * constant.typical())));
      CallTimes after = before.by(changed);
      for (int c = 0; c < calls.size(); c++) {
        double expected = changed.estimate(calls.get(c)).timeUs();
        assertEquals(expected, after.timeUs(c), 0, constant + " " + calls.get(c));
      }
    }
  }
}
