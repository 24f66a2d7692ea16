package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.CallPaths.Buffers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The commands that measure a call before and after a change, on the machine of the job.
 *
 * @param before the command in the present job
 * @param after the command with the change
 */
public record Check(String before, String after) {
  /**
   * Creates the commands for {@code topo run}, with a thread for each GPU.
   *
   * @param jobSettings the settings of the job
   */
  public static Check byRun(
      Alternative now, Alternative best, NcclSettings jobSettings, int nRanks) {
    return new Check(run(now, jobSettings, nRanks), run(best, jobSettings, nRanks));
  }

  /** Creates the commands for nccl-tests, with a process for each GPU. */
  public static Check byNcclTests(
      Alternative now, Alternative best, NcclSettings jobSettings, int nRanks) {
    return new Check(ncclTests(now, jobSettings, nRanks), ncclTests(best, jobSettings, nRanks));
  }

  /**
   * Returns the {@code topo run} command that measures an operation with a setup, from 1 MiB to 1
   * GiB.
   *
   * @param jobSettings the settings of the job
   */
  static String of(Operation operation, Setup setup, NcclSettings jobSettings, int nRanks) {
    return run(operation, "-b 1M -e 1G -f 4", setup, Optional.empty(), jobSettings, nRanks);
  }

  private static String run(Alternative variant, NcclSettings jobSettings, int nRanks) {
    return run(
        variant.call().operation(),
        sizes(variant),
        variant.setup(),
        variant.forced(),
        jobSettings,
        nRanks);
  }

  private static String run(
      Operation operation,
      String sizes,
      Setup setup,
      Optional<Pair> forced,
      NcclSettings jobSettings,
      int nRanks) {
    List<String> words = new ArrayList<>();
    words.add("topo run " + operation.ncclTestsName() + " -t " + nRanks);
    words.add(sizes + " -n 40 -w 10");
    jobSettings
        .with(setup.settings())
        .values()
        .forEach((name, value) -> words.add("--env " + name + "=" + value));
    forced.ifPresent(
        pair ->
            words.add(
                "--algorithm "
                    + pair.algorithm().label()
                    + " --protocol "
                    + pair.protocol().label()));
    return String.join(" ", words) + registration(setup.buffers());
  }

  private static String ncclTests(Alternative variant, NcclSettings jobSettings, int nRanks) {
    List<String> words = new ArrayList<>();
    words.add("mpirun -np " + nRanks);
    jobSettings
        .with(variant.setup().settings())
        .values()
        .forEach((name, value) -> words.add("-x " + name + "=" + value));
    variant
        .forced()
        .ifPresent(
            pair ->
                words.add(
                    "-x NCCL_ALGO="
                        + pair.algorithm().label()
                        + " -x NCCL_PROTO="
                        + pair.protocol().label()));
    words.add(
        variant.call().operation().ncclTestsName() + "_perf " + sizes(variant) + " -n 40 -w 10");
    return String.join(" ", words) + registration(variant.setup().buffers());
  }

  private static String sizes(Alternative variant) {
    long bytes = variant.call().sizeBytes();
    return "-b " + bytes + " -e " + bytes;
  }

  private static String registration(Buffers buffers) {
    return switch (buffers) {
      case PLAIN -> "";
      case REGISTERED -> " -R 1";
      case SYMMETRIC -> " -R 2";
    };
  }
}
