package dev.topo.cli.option;

import dev.topo.model.settings.SettingException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for trying every placement of the network cards. */
public final class PlacementOptions {
  private static final int MAX_PER_SWITCH = 64;

  @Option(
      names = "--all-placements",
      description =
          "Try every placement of the network cards under the switches, those equal by symmetry once, after the EDITs.")
  private boolean allPlacements;

  @Option(
      names = "--per-switch",
      paramLabel = "N",
      description = "Most cards at a switch (default: 2, or as many as one has now).")
  private @Nullable Integer perSwitch;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Placements to show as text (default: ${DEFAULT-VALUE}); json has all.")
  private int top = 10;

  /** Whether placements are to be tried. */
  public boolean isWanted() {
    return allPlacements;
  }

  /** The most NICs below one switch, if limited. */
  public OptionalInt perSwitch() {
    if (perSwitch == null) {
      return OptionalInt.empty();
    }
    if (perSwitch < 1 || perSwitch > MAX_PER_SWITCH) {
      throw new SettingException(
          "--per-switch " + perSwitch + ": expected a number from 1 to " + MAX_PER_SWITCH);
    }
    return OptionalInt.of(perSwitch);
  }

  /** How many of the best placements are shown. */
  public int top() {
    if (top < 1) {
      throw new SettingException("--top " + top + ": expected 1 or more");
    }
    return top;
  }
}
