package dev.topo.cli;

import dev.topo.cli.option.OptionValue;
import dev.topo.hw.run.Blocking;
import dev.topo.hw.run.ProcessLayout;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Reporting;
import dev.topo.hw.run.RunCalls;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.verify.VerifyRequest;
import dev.topo.model.operation.Call.CallSizes.ByteSize;
import dev.topo.search.kernel.CallPaths.Buffers;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for what {@code topo verify} measures, with the letters that nccl-tests uses. */
final class VerifyOptions {
  @Option(
      names = {"-g", "--ngpus"},
      paramLabel = "N",
      description = "GPUs of a process (default: all, or 1 under a launcher).")
  private @Nullable Integer gpus;

  @Option(
      names = {"-b", "--minbytes"},
      paramLabel = "SIZE",
      description = "First measured size (default: 8).")
  private String minBytes = "8";

  @Option(
      names = {"-e", "--maxbytes"},
      paramLabel = "SIZE",
      description = "Last size (default: 1G).")
  private String maxBytes = "1G";

  @Option(
      names = {"-f", "--stepfactor"},
      paramLabel = "N",
      description = "Multiplication factor between sizes (default: 4).")
  private long factor = 4;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "N",
      description = "Measured calls per size and round (default: 20).")
  private int iterations = Repetition.DEFAULTS.iterations();

  @Option(
      names = {"-w", "--warmup_iters"},
      paramLabel = "N",
      description = "Warm-up calls per size, not measured (default: 5).")
  private int warmUps = 5;

  @Option(
      names = {"-T", "--timeout"},
      paramLabel = "SECONDS",
      description = "Abort a collective that makes no progress for this time (default: 120).")
  private int timeLimitSeconds = 120;

  @Option(names = "--no-sweep", description = "Compare what NCCL reports, without measurements.")
  private boolean noSweep;

  @Option(
      names = "--buffers",
      paramLabel = "KIND",
      description =
          "Register the buffers: plain (default), registered (ncclCommRegister) or symmetric (windows); compares without"
              + " measurements what NCCL runs.")
  private String buffers = "plain";

  /**
   * True if each algorithm and protocol is measured. This is not supported for registered buffers.
   */
  boolean sweeps() {
    return !noSweep && registered() == Buffers.PLAIN;
  }

  /**
   * The request that the options describe.
   *
   * @param defaultGpus the number of GPUs per process if the user states none
   */
  RunRequest request(IntSupplier defaultGpus) {
    int gpusPerProcess = gpus == null ? defaultGpus.getAsInt() : gpus;
    return OptionValue.accepted(
        "",
        () ->
            RunRequest.of(
                RunCalls.ofFloatSums(
                    List.of(
                        RunCollective.ALL_REDUCE,
                        RunCollective.ALL_GATHER,
                        RunCollective.REDUCE_SCATTER,
                        RunCollective.BROADCAST,
                        RunCollective.REDUCE),
                    new SizeSweep(ByteSize.parse(minBytes), ByteSize.parse(maxBytes), 0, factor)),
                new Repetition(iterations, 1, warmUps, 1, 0, Blocking.NONE, 0),
                Reporting.DEFAULTS,
                ProcessLayout.of(1, gpusPerProcess, VerifyRequest.registration(registered())),
                timeLimitSeconds,
                Optional.empty()));
  }

  private Buffers registered() {
    return OptionValue.ofLabel("--buffers", buffers, Buffers.values(), Buffers::label, "");
  }
}
