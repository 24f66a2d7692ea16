package dev.topo.workload.compare;

import dev.topo.model.operation.Protocol;
import dev.topo.workload.trace.CallKind.LaunchSize;
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
            new LaunchSize(8, 544),
            true));
  }
}
