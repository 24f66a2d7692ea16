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
 * The calls of a site and their predicted time.
 *
 * @param forecast the prediction
 */
public record SiteComparison(CallSite site, CallForecast forecast) {
  /** The predicted time; empty if the model does not know the call. */
  public Optional<Expected> expected() {
    return forecast.expected();
  }

  /** The ratio of the median measured to the expected time; empty if one is unknown. */
  public OptionalDouble ratio() {
    OptionalDouble measured = site.medianUs();
    return measured.isPresent() && expected().isPresent()
        ? OptionalDouble.of(measured.getAsDouble() / expected().get().timeUs())
        : OptionalDouble.empty();
  }

  /**
   * The relative difference between each measured and the expected time, as the ratio of the longer
   * to the shorter minus 1.
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
   * True if the measured times are those of the calls alone: without overlap or waiting, and not
   * only of first calls.
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
   * True if calls are faster than the range of the expected time, but by no more than ranks waited
   * for the last one. Early ranks already send what NCCL's buffers hold, so that a part of the call
   * is done before the measured time begins.
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

  /** Remarks on what the times of the site measure, and the reason if there is no expected time. */
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

  /**
   * True if NCCL launched the kernel with the expected size; empty if the trace or the model does
   * not state it.
   */
  public Optional<Boolean> isChoiceExpected() {
    Optional<LaunchSize> measured = site.shape();
    return measured.isEmpty()
        ? Optional.empty()
        : expected().map(time -> time.shape().equals(measured.get()));
  }
}
