package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.model.PrintfNumber;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PeerTraffic;
import dev.topo.simulator.evaluate.PeerTrafficReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for operations made of sends and receives. */
final class PeerOptions {
  private static final double MOST_SKEW = 1e6;

  @Option(
      names = "--traffic",
      paramLabel = "FILE",
      description =
          "With alltoallv: CSV of the bytes that each rank sends to each rank, a line for each sender. busbw is that of the"
              + " busiest rank.")
  private @Nullable Path traffic;

  @Option(
      names = "--skew",
      paramLabel = "FACTOR",
      description =
          "With alltoallv: rank 0 receives FACTOR times as many bytes as each other rank (default: 1).")
  private @Nullable Double skew;

  /** Whether the user has given a matrix, which is of one number of ranks. */
  public boolean hasMatrix() {
    return traffic != null;
  }

  /** Makes sure that the options fit together and to the operations. */
  public void check(List<PeerOperation> operations, CallOptions calls) {
    boolean anyOf = operations.contains(PeerOperation.ALLTOALLV);
    if ((traffic != null || skew != null) && !anyOf) {
      throw new SettingException("--traffic and --skew need --collective alltoallv");
    }
    if (traffic != null && (skew != null || calls.hasSizes())) {
      throw new SettingException("--traffic has the sizes: --sizes and --skew cannot be combined");
    }
    if (skew != null && !(skew >= 1 && skew <= MOST_SKEW)) {
      throw new SettingException(
          "--skew %s: expected 1 (equal parts) to %d times as much for rank 0"
              .formatted(PrintfNumber.general(skew), (int) MOST_SKEW));
    }
  }

  /**
   * The predictions of the operations; none that no model covers.
   *
   * @param inputs reads the matrix
   */
  public List<PeerPrediction> predict(
      List<PeerOperation> operations,
      List<Long> sizes,
      PeerPredictor predictor,
      int nRanks,
      Inputs inputs) {
    List<PeerPrediction> predicted = new ArrayList<>();
    for (PeerOperation operation : operations) {
      Path file = traffic;
      if (operation == PeerOperation.ALLTOALLV && file != null) {
        PeerTraffic matrix =
            PeerTrafficReader.read(
                inputs.text(file, "bytes that each rank sends to each"), file.toString(), nRanks);
        predictor.predict(operation, matrix.largestBuffer(), matrix).ifPresent(predicted::add);
        continue;
      }
      for (long size : sizes) {
        Optional<PeerPrediction> one =
            operation == PeerOperation.ALLTOALLV
                ? predictor.predictSkewed(size, skew == null ? 1 : skew)
                : predictor.predict(operation, size, false);
        one.ifPresent(predicted::add);
      }
    }
    return predicted;
  }
}
