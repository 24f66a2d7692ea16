package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.model.operation.Call;
import dev.topo.simulator.variant.Score;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the calls that compare variants, and for the measure that ranks the variants. */
final class RankedCalls {
  /** Default sizes in bytes: small ones show latency, large ones bandwidth. */
  private static final List<Long> DEFAULT_SIZES = List.of(1L << 16, 1L << 20, 1L << 26, 1L << 30);

  @Option(
      names = "--ranked-by",
      paramLabel = "MEASURE",
      description =
          "${COMPLETION-CANDIDATES}: total bandwidth of the rings, busbw of the largest size of the first collective, or the"
              + " number of channels (default: ${DEFAULT-VALUE}).")
  private Measure rankedBy = Measure.busbw;

  @Mixin private CallOptions calls = new CallOptions();

  private enum Measure {
    bandwidth(Score.Ranking.BANDWIDTH),
    busbw(Score.Ranking.BUSBW),
    channels(Score.Ranking.CHANNELS);

    private final Score.Ranking ranking;

    Measure(Score.Ranking ranking) {
      this.ranking = ranking;
    }
  }

  /** The measure that ranks the variants. */
  Score.Ranking ranking() {
    return rankedBy.ranking;
  }

  /** All calls to compare. */
  List<Call> list() {
    return calls.all(calls.hasSizes() ? calls.sizes() : DEFAULT_SIZES);
  }

  /** The call that ranks outcomes: the largest of the first operation. */
  Call main() {
    List<Call> list = list();
    return list.stream()
        .filter(call -> call.operation() == list.get(0).operation())
        .max(Comparator.comparingLong(Call::sizeBytes))
        .orElseThrow();
  }
}
