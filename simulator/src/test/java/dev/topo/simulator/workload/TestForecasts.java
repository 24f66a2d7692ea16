package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.model.operation.Protocol;
import java.util.Optional;
import java.util.OptionalDouble;

/** Forecasts for tests. */
final class TestForecasts {
  private TestForecasts() {}

  /** A time with a range of 10 % to both sides. */
  static CallForecast of(double timeUs) {
    return CallForecast.of(
        new Expected(
            timeUs,
            OptionalDouble.of(timeUs * 0.9),
            OptionalDouble.of(timeUs * 1.1),
            Optional.empty(),
            Optional.of(Protocol.SIMPLE),
            new LaunchSize(8, 544)));
  }
}
