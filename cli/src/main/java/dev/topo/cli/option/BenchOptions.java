package dev.topo.cli.option;

import dev.topo.model.operation.DataType;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.model.settings.SettingException;
import dev.topo.run.call.Average;
import dev.topo.run.call.Blocking;
import dev.topo.run.call.Corruption;
import dev.topo.run.call.ProcessLayout;
import dev.topo.run.call.Registration;
import dev.topo.run.call.Repetition;
import dev.topo.run.call.Reporting;
import dev.topo.run.call.RunCalls;
import dev.topo.run.call.RunCollective;
import dev.topo.run.call.RunRequest;
import dev.topo.run.call.SizeSweep;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of nccl-tests, with its letters, names, defaults and meaning. */
public final class BenchOptions {
  private static final String ALL = "all";

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
      description = "What is added from size to size (default: 1M).")
  private String stepBytes = "1M";

  @Option(
      names = {"-f", "--stepfactor"},
      paramLabel = "N",
      description = "What sizes are multiplied by instead.")
  private long factor = 1;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "N",
      description = "Measured calls of a size (default: 20).")
  private int iterations = Repetition.DEFAULTS.iterations();

  @Option(
      names = {"-m", "--agg_iters"},
      paramLabel = "N",
      description = "Calls in one group, each counted (default: 1).")
  private int aggregated = Repetition.DEFAULTS.aggregated();

  @Option(
      names = {"-w", "--warmup_iters"},
      paramLabel = "N",
      description = "Calls of each size before the first is measured (default: 1).")
  private int warmUps = Repetition.DEFAULTS.warmUps();

  @Option(
      names = {"-N", "--run_cycles"},
      paramLabel = "N",
      description = "How often all sizes are run; 0 is for ever (default: 1).")
  private int cycles = Repetition.DEFAULTS.cycles();

  @Option(
      names = {"-c", "--check"},
      paramLabel = "N",
      description = "How often the result of a size is checked (default: 1).")
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
      description = "The root; -1 is each rank in turn (default: 0).")
  private int root;

  @Option(
      names = {"-z", "--blocking"},
      paramLabel = "MODE",
      description = {
        "1: wait and meet after each call; 2: wait after each call;",
        "3: wait and meet after each iteration, without counting it (default: 0)."
      })
  private int blocking;

  @Option(
      names = {"-G", "--cudagraph"},
      paramLabel = "N",
      description = "Launch the calls as one CUDA graph, N times.")
  private int graphLaunches;

  @Option(
      names = {"-C", "--report_cputime"},
      paramLabel = "0|1",
      description = "Report the time until the calls are queued.")
  private int cpuTime;

  @Option(
      names = {"-a", "--average"},
      paramLabel = "MODE",
      description = "Time of rank 0 (0), mean (1), least (2) or greatest (3) (default: 1).")
  private int average = Average.MEAN.ordinal();

  @Option(
      names = {"-R", "--local_register"},
      paramLabel = "MODE",
      description = "Register the buffers: 1 local, 2 symmetric (default: 0).")
  private int registration;

  @Option(
      names = {"-M", "--memory"},
      paramLabel = "0|1",
      description = "Report how much GPU memory is used.")
  private int memory;

  @Option(
      names = {"-T", "--timeout"},
      paramLabel = "SECONDS",
      description = {
        "End a collective that makes no progress for so long; 0 is never",
        "(default: 300, nccl-tests has none)."
      })
  private int timeLimitSeconds = 300;

  @Option(names = "--estimate", description = "Show NCCL's own estimate, too (from 2.22 on).")
  private boolean estimates;

  @Option(
      names = "--corrupt",
      paramLabel = "RANK:ELEMENT",
      description = "Falsify an element of the result, to see that the check finds it.")
  private @Nullable String corruption;

  /** What is to be run. */
  public RunRequest request(String collective) {
    try {
      return new RunRequest(
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
              mode("-a", average, Average.values()), cpuTime != 0, estimates, memory != 0),
          new ProcessLayout(threads, gpus, mode("-R", registration, Registration.values())),
          timeLimitSeconds,
          Optional.ofNullable(corruption).map(BenchOptions::corruption));
    } catch (IllegalArgumentException e) {
      throw new SettingException(String.valueOf(e.getMessage()), e);
    }
  }

  private RunCalls calls(String collective) {
    return new RunCalls(
        List.of(
            RunCollective.ofLabel(collective)
                .orElseThrow(() -> unknown("collective", collective, RunCollective.labels()))),
        new SizeSweep(
            ByteSize.parse(minBytes), ByteSize.parse(maxBytes), ByteSize.parse(stepBytes), factor),
        choice("-d", type, DataType.values(), DataType::label),
        choice("-o", operator, ReductionOperator.values(), ReductionOperator::label),
        root);
  }

  private static <E> List<E> choice(
      String option, String text, E[] values, Function<E, String> label) {
    if (text.equalsIgnoreCase(ALL)) {
      return List.of(values);
    }
    return List.of(
        Arrays.stream(values)
            .filter(value -> label.apply(value).equalsIgnoreCase(text))
            .findFirst()
            .orElseThrow(
                () ->
                    unknown(
                        option,
                        text,
                        Arrays.stream(values).map(label).collect(Collectors.joining(", "))
                            + ", all")));
  }

  private static <E> E mode(String option, int number, E[] values) {
    if (number < 0 || number >= values.length) {
      throw new SettingException(option + " " + number + ": expected 0 to " + (values.length - 1));
    }
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

  private static SettingException unknown(String what, String value, String expected) {
    return new SettingException(what + " " + value + ": expected one of " + expected);
  }
}
