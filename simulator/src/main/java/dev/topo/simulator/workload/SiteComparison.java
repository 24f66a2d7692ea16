package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.simulator.workload.CallSite.Basis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The calls of a site with their predicted time.
 *
 * @param forecast the prediction
 */
public record SiteComparison(CallSite site, CallForecast forecast) {
  /** The predicted time; empty if the model does not know the call. */
  public Optional<Expected> expected() {
    return forecast.expected();
  }

  /** The ratio of the measured to the expected time; empty if one is unknown. */
  public OptionalDouble ratio() {
    OptionalDouble measured = site.medianUs();
    return measured.isPresent() && expected().isPresent()
        ? OptionalDouble.of(measured.getAsDouble() / expected().get().timeUs())
        : OptionalDouble.empty();
  }

  /**
   * The relative differences between the times of calls and the expected time, longer to shorter.
   */
  public DoubleStream errors() {
    float[] times = site.countedUs();
    double timeUs = expected().map(Expected::timeUs).orElse(0.0);
    return timeUs > 0
        ? IntStream.range(0, times.length)
            .filter(i -> times[i] > 0)
            .mapToDouble(i -> Math.max(times[i], timeUs) / Math.min(times[i], timeUs) - 1)
        : DoubleStream.empty();
  }

  /**
   * True if the measured time is that of the call alone: without overlap and waiting, and not only
   * from the first call of its kind.
   */
  public boolean isAlone() {
    return site.basis() == Basis.ARRIVAL
        && !site.isOverlapped()
        && !site.isConcurrent()
        && !site.isFirstOnly();
  }

  /** True if the measured time can be compared with the expected one. */
  public boolean isComparable() {
    return isAlone() && expected().isPresent();
  }

  /**
   * True if calls were faster than the range of the expected time by no more than the first rank
   * waited for the last one: early ranks already send what NCCL's buffers hold, so that a part of
   * the call is done before the measured time begins.
   */
  public boolean isBegunEarly() {
    if (site.basis() != Basis.ARRIVAL || expected().isEmpty()) {
      return false;
    }
    double timeUs = expected().get().timeUs();
    double measuredUs = site.medianUs().orElse(timeUs);
    return measuredUs < expected().get().lowUs().orElse(timeUs)
        && timeUs - measuredUs <= site.waitedUs().orElse(0);
  }

  /** Remarks on the meaning of the times of the site, and on why nothing is expected. */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (site.isOverlapped()) {
      remarks.add("beside computation");
    }
    if (site.isConcurrent()) {
      remarks.add("beside another call");
    }
    if (site.basis() == Basis.WITH_WAITING) {
      remarks.add("waiting included");
    }
    if (isBegunEarly()) {
      remarks.add("begun before the last rank came");
    }
    if (site.isFirstOnly()) {
      remarks.add("first call only");
    }
    if (!forecast.reason().isEmpty()) {
      remarks.add(forecast.reason());
    }
    return remarks;
  }

  /** True if NCCL launched the kernel as expected; empty where the trace or the model has none. */
  public Optional<Boolean> isChoiceExpected() {
    Optional<LaunchSize> measured = site.shape();
    return measured.isEmpty()
        ? Optional.empty()
        : expected().map(time -> time.shape().equals(measured.get()));
  }
}
