package dev.topo.simulator.advice;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.advice.Alternative.TimeRange;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.Optional;

/** Ways to run an AllGather of 64 MiB, for tests. */
public final class Variants {
  /** The call. */
  public static final Call CALL = Call.of(Collective.ALL_GATHER, 64L << 20);

  private Variants() {}

  /** A way by NCCL's choice. */
  public static Alternative of(Setup setup, double timeUs) {
    return of(setup, Optional.empty(), timeUs, Source.CALIBRATION);
  }

  /** A way with a forced pair, or a time of another source. */
  public static Alternative of(Setup setup, Optional<Pair> forced, double timeUs, Source source) {
    return new Alternative(
        CALL,
        setup,
        forced,
        Optional.of(forced.map(Pair::algorithm).orElse(Algorithm.RING)),
        Optional.of(forced.map(Pair::protocol).orElse(Protocol.SIMPLE)),
        Optional.empty(),
        setup.settings().integer(Setup.CHANNELS, 24),
        setup.settings().integer(Setup.CHANNELS, 24),
        timeUs,
        Optional.of(new TimeRange(0.9 * timeUs, 1.1 * timeUs)),
        source);
  }
}
