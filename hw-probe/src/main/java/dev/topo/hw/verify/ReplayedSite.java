package dev.topo.hw.verify;

import dev.topo.hw.run.ReplayedCall;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.SiteComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The calls of a site: traced, expected and replayed.
 *
 * @param traced the times of the traces beside those of the model
 * @param replayed the times of the replay; empty where the call was not made
 * @param reason why it was not; empty where it was
 */
public record ReplayedSite(SiteComparison traced, Optional<ReplayedCall> replayed, String reason) {
  /** The median of the replay, in us. */
  public OptionalDouble replayedUs() {
    return replayed.isPresent()
        ? OptionalDouble.of(replayed.get().medianUs())
        : OptionalDouble.empty();
  }

  /** The traced time to the replayed one; empty where one is not known. */
  public OptionalDouble tracedToReplayed() {
    return ratio(traced.site().medianUs());
  }

  /** The replayed time to the expected one; empty where one is not known. */
  public OptionalDouble replayedToExpected() {
    OptionalDouble expected =
        traced
            .expected()
            .map(Expected::timeUs)
            .map(OptionalDouble::of)
            .orElse(OptionalDouble.empty());
    OptionalDouble inverse = ratio(expected);
    return inverse.isPresent() ? OptionalDouble.of(1 / inverse.getAsDouble()) : inverse;
  }

  private OptionalDouble ratio(OptionalDouble us) {
    OptionalDouble replay = replayedUs();
    return us.isPresent() && us.getAsDouble() > 0 && replay.orElse(0) > 0
        ? OptionalDouble.of(us.getAsDouble() / replay.getAsDouble())
        : OptionalDouble.empty();
  }

  /**
   * True if the traced time is that of the call alone, and the replayed one has no launches: then
   * both are to be equal.
   */
  public boolean isComparable() {
    return traced.isAlone()
        && replayed.isPresent()
        && !replayed.get().hasLaunches()
        && tracedToReplayed().isPresent();
  }

  /** Remarks on the meaning of the times of the site. */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>(traced.remarks());
    replayed
        .filter(ReplayedCall::hasLaunches)
        .ifPresent(call -> remarks.add("replayed time has launches"));
    if (!reason.isEmpty() && !remarks.contains(reason)) {
      remarks.add("not replayed: " + reason);
    }
    return remarks;
  }
}
