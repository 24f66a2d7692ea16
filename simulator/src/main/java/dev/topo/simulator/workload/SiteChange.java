package dev.topo.simulator.workload;

import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import java.util.Optional;

/**
 * The calls of a site before and after a change.
 *
 * @param change the call by the model; empty where it does not know the call
 * @param timeUs time of the calls of a rank now, in the mean, without waiting as far as that is
 *     known
 * @param share the part of the calls that a rank makes, in the mean
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

  /** True if the effect on the calls is not known: they are taken to stay. */
  public boolean isUnknown() {
    return change.isEmpty() || change.get().gain().isEmpty();
  }

  /** True if NCCL runs the calls in another way, and what that gains is known. */
  boolean isChanged() {
    return !isUnknown() && change.get().isChanged();
  }

  /** Time that all calls save together; below 0 where they lose. */
  double savedUs(End end) {
    return isChanged() ? timeUs * (1 - 1 / end.of(gain())) : 0;
  }

  /** The part of that which is exposed now: what runs beside the calls stays. */
  double savedExposedUs() {
    double total = share * site.totalUs();
    return total > 0
        ? share * (site.exposedUs() - site.exposedUs((total - savedUs(End.MIDDLE)) / total))
        : 0;
  }

  /** The gain of a call; none where nothing changes. */
  public Gain gain() {
    return change.flatMap(CallChange::gain).orElse(Gain.NONE);
  }
}
