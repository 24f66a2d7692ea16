package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.model.job.SettingException;
import picocli.CommandLine.Option;

/**
 * Options of nccl-tests 2.19.6 that {@code topo run} does not support. The value that changes
 * nothing is accepted, so that scripts for nccl-tests work; all others are refused.
 */
final class RefusedOptions {
  /** Largest number of blocks: above it, nccl-tests uses its default instead. */
  private static final int MAX_BLOCKS = 128;

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
   * Refuses values that are not supported.
   *
   * @throws SettingException if an option has a value that would have an effect
   */
  void check() {
    refuseIf(
        ownKernel != 0,
        "-D %s of nccl-tests: only NCCL's own kernels are run (docs/hardware.md), expected 0"
            .formatted(ownKernel));
    refuseIf(
        blocks < 1 || blocks > MAX_BLOCKS,
        "-V %s: expected a number of CTAs from 1 to %s (topo run --version shows the version)"
            .formatted(blocks, MAX_BLOCKS));
  }
}
