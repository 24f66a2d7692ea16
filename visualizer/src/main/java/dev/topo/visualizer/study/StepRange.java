package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.visualizer.view.RangedNumber;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** The predicted communication time of a step, with as many digits as its range justifies. */
record StepRange(StepTime step) {

  /** The time alone: {@code 32.6 ms}. */
  String time() {
    return text(step.communicationUs(), RangedNumber::number);
  }

  /** The range of the time; "no range known" if the calls have none. */
  String range() {
    return isKnown() ? text(step.communicationUs(), RangedNumber::range) : "no range known";
  }

  private boolean isKnown() {
    return step.lowUs() < step.highUs();
  }

  /**
   * The exposed part, during which nothing else runs, with the same number of digits; a dash if it
   * is not known.
   */
  String exposed() {
    OptionalDouble us = step.exposedUs();
    return us.isPresent() ? text(us.getAsDouble(), RangedNumber::number) : QuantityFormat.time(us);
  }

  /**
   * A clause about the exposed part; nothing if it is not known.
   *
   * @param clause from the exposed part before and that of this step
   */
  String exposed(BinaryOperator<String> clause, OptionalDouble beforeUs) {
    return step.exposedUs().isPresent()
        ? clause.apply(QuantityFormat.time(beforeUs), exposed())
        : "";
  }

  private String text(double us, Function<RangedNumber, String> part) {
    if (!isKnown()) {
      return QuantityFormat.briefTime(us);
    }
    double offset = us - step.communicationUs();
    return RangedNumber.of(us, step.lowUs() + offset, step.highUs() + offset).time(part);
  }
}
