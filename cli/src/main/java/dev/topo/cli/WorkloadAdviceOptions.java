package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.model.job.SettingException;
import dev.topo.simulator.advice.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options for advice on the calls of a traced job. */
final class WorkloadAdviceOptions {
  private static final List<Permission> ALL =
      List.of(Permission.SETTINGS, Permission.TUNER, Permission.CODE);

  @Option(
      names = "--advise",
      description =
          "Which settings are best for the job as a whole, by the sum over its calls: gain and range, exposed time, and how"
              + " to set them.")
  private boolean isWanted;

  @Option(
      names = "--may",
      paramLabel = "WHAT",
      split = ",",
      description =
          "With --advise: what may be changed: settings (NCCL_*), tuner (algorithm and protocol by the tuner plugin), code"
              + " (registered and symmetric buffers) (default: settings,tuner).")
  private List<String> may = new ArrayList<>();

  /** True if the user asks for advice. */
  boolean isWanted() {
    return isWanted;
  }

  /** The kinds of change that the user allows. */
  Set<Permission> may() {
    return AdviceOptions.permissions(may.isEmpty() ? List.of("settings", "tuner") : may, ALL);
  }

  /**
   * Refuses options that cannot be combined.
   *
   * @param isChanged whether the user also asks for a change
   * @param hasPlace whether the format can show advice
   * @throws SettingException if options cannot be combined with each other or with the format
   */
  void check(boolean isChanged, boolean hasPlace) {
    refuseIf(!isWanted && !may.isEmpty(), "--may: expected --advise");
    if (!isWanted) {
      return;
    }
    may();
    refuseIf(
        isChanged,
        "--advise is for the job as it was traced: expected no --whatif, --scale or other --nccl");
    refuseIf(!hasPlace, "--advise: expected --format text or json");
  }
}
