package dev.topo.simulator.workload;

import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import java.util.Optional;

/**
 * The calls of a site before and after a change.
 *
 * @param change the call by the model; empty where it does not know the call
 * @param timeUs mean time of the calls of a rank now, without waiting if that is known
 * @param share mean fraction of the calls that a rank makes
 */
public record SiteChange(CallSite site, Optional<CallChange> change, double timeUs, double share) {
  /** An end of the range of a gain. */
  enum End {
    LEAST,
    MIDDLE,
    MOST;

    double of(Gain gain) {
      return switch (this) {
        case LEAST -> gain.least();
        case MIDDLE -> gain.ratio();
        case MOST -> gain.most();
      };
    }
  }

  /** True if the effect on the calls is unknown; they are assumed to stay the same. */
  public boolean isUnknown() {
    return change.isEmpty() || change.get().gain().isEmpty();
  }

  /** True if NCCL runs the calls differently with a known gain. */
  boolean isChanged() {
    return !isUnknown() && change.get().isChanged();
  }

  /** Time that all calls save together; negative for a loss. */
  double savedUs(End end) {
    return isChanged() ? timeUs * (1 - 1 / end.of(gain())) : 0;
  }

  /** The part of that which is exposed now; overlapping work stays the same. */
  double savedExposedUs() {
    double total = share * site.totalUs();
    return total > 0
        ? share * (site.exposedUs() - site.exposedUs((total - savedUs(End.MIDDLE)) / total))
        : 0;
  }

  /** The gain of a call; {@link Gain#NONE} if nothing changes. */
  public Gain gain() {
    return change.flatMap(CallChange::gain).orElse(Gain.NONE);
  }
}
