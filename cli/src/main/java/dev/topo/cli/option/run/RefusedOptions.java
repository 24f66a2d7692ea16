package dev.topo.cli.option.run;

import dev.topo.model.settings.SettingException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of nccl-tests 2.19.6 that {@code topo run} does not have: they are accepted with the
 * value that changes nothing, so that scripts of nccl-tests run, and else refused.
 */
public final class RefusedOptions {
  @Option(
      names = {"-y", "--stream_null"},
      hidden = true,
      paramLabel = "0|1",
      description = "Run on the default stream.")
  private @Nullable Integer defaultStream;

  @Option(
      names = {"-u", "--unalign"},
      hidden = true,
      paramLabel = "N",
      description = "Misalign the buffers.")
  private @Nullable Integer misaligned;

  @Option(
      names = {"-I", "--per_iter_timing"},
      hidden = true,
      paramLabel = "0|1",
      description = "Time each iteration.")
  private @Nullable Integer eachIteration;

  @Option(
      names = {"-K", "--per_iter_skip"},
      hidden = true,
      paramLabel = "N",
      description = "Iterations that the summary of -I leaves out.")
  private @Nullable Integer leftOut;

  @Option(
      names = {"-D", "--device_implementation"},
      hidden = true,
      paramLabel = "N",
      description = "Run a kernel of nccl-tests instead of NCCL's.")
  private @Nullable Integer ownKernel;

  @Option(
      names = "--device_cta_count",
      hidden = true,
      paramLabel = "N",
      description = "Blocks of such a kernel.")
  private @Nullable Integer blocks;

  /**
   * Refuses what is not there.
   *
   * @throws SettingException if an option has a value that would change something
   */
  public void check() {
    refuse("-y", defaultStream, "the default stream is not used");
    refuse("-u", misaligned, "buffers are aligned");
    refuse("-I", eachIteration, "single iterations are not timed; -n 1 -N 20 prints 20 rows");
    refuse("-K", leftOut, "single iterations are not timed");
    refuse("-D", ownKernel, "only NCCL's own kernels are run");
  }

  private static void refuse(String option, @Nullable Integer value, String why) {
    if (value != null && value != 0) {
      throw new SettingException(
          "%s %s of nccl-tests: %s (docs/run.md), expected 0".formatted(option, value, why));
    }
  }
}
