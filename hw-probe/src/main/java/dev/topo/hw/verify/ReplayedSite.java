package dev.topo.hw.verify;

import dev.topo.hw.run.ReplayedCall;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.SiteComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Traced, expected and replayed times of a site's calls.
 *
 * @param traced comparison of the traced times with those of the model
 * @param replayed times of the replay; empty if the call was not made
 * @param reason why it was not made; empty if it was
 */
public record ReplayedSite(SiteComparison traced, Optional<ReplayedCall> replayed, String reason) {
  /** Median of the replay, in µs. */
  public OptionalDouble replayedUs() {
    return replayed.stream().mapToDouble(ReplayedCall::medianUs).findFirst();
  }

  /** Ratio of traced to replayed time; empty if one is unknown. */
  public OptionalDouble tracedToReplayed() {
    return ratio(traced.site().medianUs());
  }

  /** Ratio of replayed to expected time; empty if one is unknown. */
  public OptionalDouble replayedToExpected() {
    OptionalDouble expected = traced.expected().stream().mapToDouble(Expected::timeUs).findFirst();
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
   * True if traced and replayed time should be equal: the call ran alone in the trace, and its
   * replayed time includes no launches.
   */
  public boolean isComparable() {
    return traced.isAlone()
        && replayed.isPresent()
        && !replayed.get().hasLaunches()
        && tracedToReplayed().isPresent();
  }

  /** Remarks on the meaning of the site's times. */
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
