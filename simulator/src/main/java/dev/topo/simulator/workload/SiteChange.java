package dev.topo.simulator.workload;

import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import java.util.Optional;

/**
 * The calls of a site before and after a change.
 *
 * @param change the change of a call as predicted; empty if there is no prediction
 * @param timeUs total time of the calls before the change, in the mean of the ranks, in
 *     microseconds; without waiting if that is known
 * @param share mean fraction of the calls that a rank takes part in
 */
public record SiteChange(CallSite site, Optional<CallChange> change, double timeUs, double share) {
  /** A point in the range of a gain. */
  enum RangePoint {
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

  /** Total time that the calls of a rank save, in microseconds; negative for a loss. */
  double savedUs(RangePoint point) {
    return isChanged() ? timeUs * (1 - 1 / point.of(gain())) : 0;
  }

  /**
   * The part of {@link #savedUs} that reduces exposed communication, if the overlapping work stays
   * the same.
   */
  double savedExposedUs() {
    double totalUs = share * site.totalUs();
    return totalUs > 0
        ? share
            * (site.exposedUs() - site.exposedUs((totalUs - savedUs(RangePoint.MIDDLE)) / totalUs))
        : 0;
  }

  /** The gain of a call; {@link Gain#NONE} if nothing changes. */
  public Gain gain() {
    return change.flatMap(CallChange::gain).orElse(Gain.NONE);
  }
}
