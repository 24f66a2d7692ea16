package dev.topo.cli;

import dev.topo.model.job.SettingException;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for trying placements of the network cards. */
final class PlacementOptions {
  private static final int MAX_PER_SWITCH = 64;
  private static final int USUAL_TOP = 10;

  /** Nodes of a job about placements, where the user names none: without a network NICs idle. */
  static final int USUAL_NODES = 2;

  /** About two minutes on two cores for a machine of 16 GPUs. */
  private static final int USUAL_MAX = 4000;

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
              + USUAL_MAX
              + "); the output shows how many there are.")
  private @Nullable Integer max;

  /** True if placements are to be tried. */
  public boolean isWanted() {
    return allPlacements;
  }

  /** Says what is wrong with the options, before any placement is tried. */
  public void check() {
    if (!allPlacements && (perSwitch != null || top != null || max != null)) {
      throw new SettingException("--per-switch, --top and --max-placements need --all-placements");
    }
    perSwitch();
    top();
    max();
  }

  /** The most NICs below one switch, if limited. */
  public OptionalInt perSwitch() {
    if (perSwitch != null && (perSwitch < 1 || perSwitch > MAX_PER_SWITCH)) {
      throw new SettingException(
          "--per-switch %s: expected a number from 1 to %s".formatted(perSwitch, MAX_PER_SWITCH));
    }
    return perSwitch == null ? OptionalInt.empty() : OptionalInt.of(perSwitch);
  }

  /** How many of the best placements are shown. */
  public int top() {
    return atLeastOne("--top", top, USUAL_TOP);
  }

  /** How many placements are tried. */
  public int max() {
    return atLeastOne("--max-placements", max, USUAL_MAX);
  }

  private static int atLeastOne(String option, @Nullable Integer given, int usual) {
    int count = Objects.requireNonNullElse(given, usual);
    if (count < 1) {
      throw new SettingException(option + " " + count + ": expected 1 or more");
    }
    return count;
  }
}
