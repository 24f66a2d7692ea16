package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for evaluating placements of the network cards. */
final class PlacementOptions {
  private static final int MAX_PER_SWITCH = 64;
  private static final int DEFAULT_TOP = 10;

  /**
   * Default number of nodes: the placement of network cards has no effect on one node, which uses
   * no network.
   */
  static final int DEFAULT_NODES = 2;

  /**
   * Default number of placements to try. For a machine of 16 GPUs this takes about two minutes on
   * two cores.
   */
  private static final int DEFAULT_MAX = 4000;

  @Option(
      names = "--all-placements",
      description =
          "Try other placements of the network cards below the switches, after the EDITs: those"
              + " that move the fewest cards first, up to --max-placements, symmetric ones once.")
  private boolean allPlacements;

  @Option(
      names = "--per-switch",
      paramLabel = "N",
      description =
          "Maximum number of cards per switch (default: 2, or the most that a switch has now).")
  private @Nullable Integer perSwitch;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Placements to show in the text output (default: 10); json contains all.")
  private @Nullable Integer top;

  @Option(
      names = "--max-placements",
      paramLabel = "N",
      description =
          "Placements to try, those that move the fewest cards first (default: "
              + DEFAULT_MAX
              + "); the output shows how many there are.")
  private @Nullable Integer max;

  /** True if placements are to be evaluated. */
  boolean isWanted() {
    return allPlacements;
  }

  /** Refuses wrong options before any placement is evaluated. */
  void check() {
    refuseIf(
        !allPlacements && (perSwitch != null || top != null || max != null),
        "--per-switch, --top and --max-placements need --all-placements");
    perSwitch();
    top();
    max();
  }

  /** The largest number of NICs below one switch, if the user limits it. */
  OptionalInt perSwitch() {
    refuseIf(
        perSwitch != null && (perSwitch < 1 || perSwitch > MAX_PER_SWITCH),
        "--per-switch %s: expected a number from 1 to %s".formatted(perSwitch, MAX_PER_SWITCH));
    return OptionValue.optional(perSwitch);
  }

  /** Number of the best placements to show. */
  int top() {
    return OptionValue.positive("--top", top).orElse(DEFAULT_TOP);
  }

  /** Largest number of placements to evaluate. */
  int max() {
    return OptionValue.positive("--max-placements", max).orElse(DEFAULT_MAX);
  }
}
