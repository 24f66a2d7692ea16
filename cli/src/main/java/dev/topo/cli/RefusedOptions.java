package dev.topo.cli;

import dev.topo.model.job.SettingException;
import picocli.CommandLine.Option;

/**
 * Options of nccl-tests 2.19.6 that {@code topo run} does not have: they are accepted with the
 * value that changes nothing, so that scripts of nccl-tests run, and else refused.
 */
final class RefusedOptions {
  /** More than that, and nccl-tests takes its default instead. */
  private static final int MOST_BLOCKS = 128;

  @Option(
      names = {"-D", "--device_implementation"},
      hidden = true,
      paramLabel = "N",
      description = "Run a kernel of nccl-tests instead of NCCL's.")
  private int ownKernel;

  @Option(
      names = "--device_cta_count",
      hidden = true,
      paramLabel = "N",
      description = "Blocks of such a kernel; -V is its short name.")
  private int blocks = 16;

  /**
   * Refuses what is not there.
   *
   * @throws SettingException if an option has a value that would change something
   */
  public void check() {
    if (ownKernel != 0) {
      throw new SettingException(
          "-D %s of nccl-tests: only NCCL's own kernels are run (docs/hardware.md), expected 0"
              .formatted(ownKernel));
    }
    if (blocks < 1 || blocks > MOST_BLOCKS) {
      throw new SettingException(
          "-V %s: expected a number of CTAs from 1 to %s (topo run --version shows the version)"
              .formatted(blocks, MOST_BLOCKS));
    }
  }
}
