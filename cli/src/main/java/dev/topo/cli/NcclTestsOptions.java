package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue;
import dev.topo.hw.run.Average;
import dev.topo.hw.run.Blocking;
import dev.topo.hw.run.Corruption;
import dev.topo.hw.run.ProcessLayout;
import dev.topo.hw.run.Registration;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Reporting;
import dev.topo.hw.run.RunCalls;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call.CallSizes.ByteSize;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of nccl-tests, with the same letters, names, defaults and meaning. */
final class NcclTestsOptions {
  private static final String ALL = "all";

  /** The values of a switch, which nccl-tests writes as 0 and 1. */
  private static final Boolean[] SWITCH = {false, true};

  /**
   * The largest value of NCCL_CTA_POLICY: NCCL_CTA_POLICY_ZERO ({@code nccl:src/nccl.h.in}, 2.28).
   */
  private static final int MAX_POLICY = 2;

  @Option(
      names = {"-t", "--nthreads"},
      paramLabel = "N",
      description = "Threads of a process (default: 1).")
  private int threads = 1;

  @Option(
      names = {"-g", "--ngpus"},
      paramLabel = "N",
      description = "GPUs that each thread drives (default: 1).")
  private int gpus = 1;

  @Option(
      names = {"-b", "--minbytes"},
      paramLabel = "SIZE",
      description = "First size: 8, 64K, 1M, 4G (default: 32M).")
  private String minBytes = "32M";

  @Option(
      names = {"-e", "--maxbytes"},
      paramLabel = "SIZE",
      description = "Last size (default: 32M).")
  private String maxBytes = "32M";

  @Option(
      names = {"-i", "--stepbytes"},
      paramLabel = "SIZE",
      description = "Increment between sizes (default: 1M).")
  private String stepBytes = "1M";

  @Option(
      names = {"-f", "--stepfactor"},
      paramLabel = "N",
      description = "Multiplication factor between sizes, instead of an increment.")
  private long factor = 1;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "N",
      description = "Measured calls per size (default: 20).")
  private int iterations = Repetition.DEFAULTS.iterations();

  @Option(
      names = {"-m", "--agg_iters"},
      paramLabel = "N",
      description = "Calls to aggregate in each iteration (default: 1).")
  private int aggregated = Repetition.DEFAULTS.aggregated();

  @Option(
      names = {"-w", "--warmup_iters"},
      paramLabel = "N",
      description = "Warm-up calls per size, not measured (default: 1).")
  private int warmUps = Repetition.DEFAULTS.warmUps();

  @Option(
      names = {"-N", "--run_cycles"},
      paramLabel = "N",
      description = "Number of runs over all sizes; 0 runs until interrupted (default: 1).")
  private int cycles = Repetition.DEFAULTS.cycles();

  @Option(
      names = {"-c", "--check"},
      paramLabel = "N",
      description = "Checks of the result per size (default: 1).")
  private int checks = Repetition.DEFAULTS.checks();

  @Option(
      names = {"-o", "--op"},
      paramLabel = "OP",
      description = "sum, prod, min, max, avg, mulsum or all (default: sum).")
  private String operator = ReductionOperator.SUM.label();

  @Option(
      names = {"-d", "--datatype"},
      paramLabel = "TYPE",
      description = "int8, half, float, bfloat16, … or all (default: float).")
  private String type = DataType.FLOAT32.label();

  @Option(
      names = {"-r", "--root"},
      paramLabel = "RANK",
      description = "The root rank; -1 uses each rank in turn (default: 0).")
  private int root;

  @Option(
      names = {"-z", "--blocking"},
      paramLabel = "MODE",
      description = {
        "1: wait and barrier after each call; 2: wait after each call;",
        "3: wait and barrier after each iteration, not included in the time (default: 0)."
      })
  private int blocking;

  @Option(
      names = {"-G", "--cudagraph"},
      paramLabel = "N",
      description = "Capture the calls in a CUDA graph and launch it N times.")
  private int graphLaunches;

  @Option(
      names = {"-C", "--report_cputime"},
      paramLabel = "0|1",
      description = "Report the CPU time to enqueue the calls.")
  private int cpuTime;

  @Option(
      names = {"-S", "--report_timestamps"},
      paramLabel = "0|1",
      description = "Report the time of day of each row.")
  private int timestamps;

  @Option(
      names = {"-p", "--parallel_init"},
      paramLabel = "0|1",
      description = "Accepted and ignored: no reported time includes the initialisation of NCCL.")
  private int parallelInit;

  @Option(
      names = {"-x", "--cta_policy"},
      paramLabel = "POLICY",
      description =
          "0 default, 1 efficiency, 2 zero: sets NCCL_CTA_POLICY (NCCL 2.27 or newer; 2 from 2.28 on).")
  private @Nullable Integer ctaPolicy;

  @Option(
      names = {"-a", "--average"},
      paramLabel = "MODE",
      description =
          "Report the time of rank 0 (0), the mean (1), minimum (2) or maximum (3) (default: 1).")
  private int average = Average.MEAN.ordinal();

  @Option(
      names = {"-R", "--local_register"},
      paramLabel = "MODE",
      description = "Register the buffers: 1 local, 2 symmetric (default: 0).")
  private int registration;

  @Option(
      names = {"-M", "--memory"},
      paramLabel = "0|1",
      description = "Report GPU memory usage.")
  private int memory;

  @Option(
      names = {"-I", "--per_iter_timing"},
      paramLabel = "0|1",
      description =
          "Report minimum, maximum, 99th percentile and variation of the times of single iterations.")
  private int iterationTimes;

  @Option(
      names = {"-K", "--per_iter_skip"},
      paramLabel = "N",
      description = "First iterations that the summary of -I leaves out (default: 0).")
  private int skippedIterations;

  @Option(
      names = {"-u", "--unalign"},
      paramLabel = "N",
      description = "Misalign the buffers by N elements (default: 0).")
  private int misalignment;

  @Option(
      names = {"-y", "--stream_null"},
      paramLabel = "0|1",
      description = "Queue the calls on CUDA's default stream.")
  private int defaultStream;

  @Option(
      names = {"-T", "--timeout"},
      paramLabel = "SECONDS",
      description = {
        "Abort a collective that makes no progress for this time; 0 never aborts",
        "(default: 300; nccl-tests has no timeout)."
      })
  private int timeLimitSeconds = 300;

  @Option(names = "--estimate", description = "Also show NCCL's own estimate (NCCL 2.22 or newer).")
  private boolean estimates;

  @Option(
      names = "--corrupt",
      paramLabel = "RANK:ELEMENT",
      description = "Corrupt one element of the result to test the check.")
  private @Nullable String corruption;

  /** True if rows end with the time of day. */
  boolean hasTimestamps() {
    return timestamps != 0;
  }

  /** The environment variables of NCCL that the options set. */
  Map<String, String> variables() {
    if (ctaPolicy == null) {
      return Map.of();
    }
    refuseIf(
        ctaPolicy < 0 || ctaPolicy > MAX_POLICY,
        "-x " + ctaPolicy + ": expected 0 to " + MAX_POLICY);
    return Map.of("NCCL_CTA_POLICY", ctaPolicy.toString());
  }

  /** The request that the options describe. */
  RunRequest request(String collective) {
    return OptionValue.accepted(
        "",
        () ->
            RunRequest.of(
                calls(collective),
                new Repetition(
                    iterations,
                    aggregated,
                    warmUps,
                    cycles,
                    checks,
                    mode("-z", blocking, Blocking.values()),
                    graphLaunches),
                new Reporting(
                    mode("-a", average, Average.values()),
                    cpuTime != 0,
                    estimates,
                    memory != 0,
                    mode("-I", iterationTimes, SWITCH),
                    skippedIterations),
                new ProcessLayout(
                    threads,
                    gpus,
                    mode("-R", registration, Registration.values()),
                    misalignment,
                    defaultStream != 0),
                timeLimitSeconds,
                Optional.ofNullable(corruption).map(NcclTestsOptions::corruption)));
  }

  private RunCalls calls(String collective) {
    return new RunCalls(
        List.of(
            RunCollective.ofLabel(collective)
                .orElseThrow(
                    () ->
                        new SettingException(
                            "collective %s: expected one of %s"
                                .formatted(collective, RunCollective.labels())))),
        new SizeSweep(
            ByteSize.parse(minBytes), ByteSize.parse(maxBytes), ByteSize.parse(stepBytes), factor),
        oneOrAll("-d", type, DataType.values(), DataType::label),
        oneOrAll("-o", operator, ReductionOperator.values(), ReductionOperator::label),
        root);
  }

  private static <E> List<E> oneOrAll(
      String option, String text, E[] values, Function<E, String> label) {
    return text.equalsIgnoreCase(ALL)
        ? List.of(values)
        : List.of(OptionValue.ofLabel(option, text, values, label, ", " + ALL));
  }

  private static <E> E mode(String option, int number, E[] values) {
    refuseIf(
        number < 0 || number >= values.length,
        option + " " + number + ": expected 0 to " + (values.length - 1));
    return values[number];
  }

  private static Corruption corruption(String text) {
    String[] part = text.split(":", 2);
    try {
      return new Corruption(Integer.parseInt(part[0]), Long.parseLong(part[1]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new SettingException("--corrupt " + text + ": expected RANK:ELEMENT, as in 0:17", e);
    }
  }
}
