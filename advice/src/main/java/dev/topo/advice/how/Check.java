package dev.topo.advice.how;

import dev.topo.advice.lever.Variant;
import dev.topo.model.settings.NcclSettings;
import dev.topo.tuning.symmetric.Buffers;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that measure a call before and after a change, on the machine of the job.
 *
 * @param before as the job makes it
 * @param after with the change
 */
public record Check(String before, String after) {
  /**
   * By {@code topo run}, with a thread for each GPU.
   *
   * @param own the settings of the job
   */
  public static Check byRun(Variant now, Variant best, NcclSettings own, int nRanks) {
    return new Check(run(now, own, nRanks), run(best, own, nRanks));
  }

  /** By nccl-tests, with a process for each GPU. */
  public static Check byNcclTests(Variant now, Variant best, NcclSettings own, int nRanks) {
    return new Check(ncclTests(now, own, nRanks), ncclTests(best, own, nRanks));
  }

  private static String run(Variant variant, NcclSettings own, int nRanks) {
    List<String> words = new ArrayList<>();
    words.add("topo run " + variant.call().operation().ncclTestsName() + " -t " + nRanks);
    words.add(sizes(variant));
    own.with(variant.setup().settings())
        .values()
        .forEach((name, value) -> words.add("--env " + name + "=" + value));
    variant
        .forced()
        .ifPresent(
            pair ->
                words.add(
                    "--algorithm "
                        + pair.algorithm().label()
                        + " --protocol "
                        + pair.protocol().label()));
    return String.join(" ", words) + registration(variant.setup().buffers());
  }

  private static String ncclTests(Variant variant, NcclSettings own, int nRanks) {
    List<String> words = new ArrayList<>();
    words.add("mpirun -np " + nRanks);
    own.with(variant.setup().settings())
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
    words.add(variant.call().operation().ncclTestsName() + "_perf " + sizes(variant));
    return String.join(" ", words) + registration(variant.setup().buffers());
  }

  private static String sizes(Variant variant) {
    long bytes = variant.call().bytes();
    return "-b " + bytes + " -e " + bytes + " -n 40 -w 10";
  }

  private static String registration(Buffers buffers) {
    return switch (buffers) {
      case PLAIN -> "";
      case REGISTERED -> " -R 1";
      case SYMMETRIC -> " -R 2";
    };
  }
}
