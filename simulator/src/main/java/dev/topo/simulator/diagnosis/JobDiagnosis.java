package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Diagnoses a known job from the faults that its log or settings state, with their predicted cost,
 * and from the measured times.
 */
final class JobDiagnosis {
  /** Least slowdown factor of a stated cause; causes that cost less become notes. */
  private static final double LEAST_LOSS = 1.15;

  /**
   * Median relative slowdown above which a job of several nodes is not called healthy, even if no
   * known fault fits.
   */
  private static final double MOST_HEALTHY_SLOWDOWN = 0.5;

  /** Least fraction of the sizes within their range for a healthy run. */
  private static final double LEAST_WITHIN = 0.1;

  /** Least share of an unknown cause that comes first for the verdict that no known cause fits. */
  private static final double LEAST_UNKNOWN = 0.5;

  /** Sizes in bytes for which costs are given if nothing was measured. */
  private static final List<Long> USUAL_SIZES = List.of(1L << 20, 1L << 26, 1L << 30);

  private final JobFit ideal;
  private final List<Stated> stated;
  private final List<MeasuredOperation> measured;
  private final boolean isUnmodelled;
  private final List<SpecText> basis;

  JobDiagnosis(
      JobFit ideal, List<Stated> stated, List<MeasuredOperation> measured, List<SpecText> basis) {
    this.ideal = ideal;
    this.stated = stated;
    this.measured = ideal.modelled(measured);
    this.isUnmodelled = this.measured.size() < measured.size();
    this.basis = new ArrayList<>(basis);
  }

  /**
   * A stated cause with its cost.
   *
   * @param loss largest factor by which calls take longer with it; empty if unknown
   */
  private record Costed(Stated stated, OptionalDouble loss) {
    boolean isMaterial() {
      return loss.isEmpty() || loss.getAsDouble() >= LEAST_LOSS;
    }

    Cause cause() {
      return StatedDiagnosis.cause(
          stated,
          loss.isEmpty()
              ? List.of()
              : List.of(
                  new Evidence(
                      "prediction",
                      TextWriter.format(
                          "calls take up to %.1f times as long", loss.getAsDouble()))));
    }
  }

  Diagnosis diagnosis() {
    Diagnosis judged = judged();
    return UnevenSizes.with(
        measured,
        ideal.healthyFit(measured),
        judged.withReached(ideal.reached(measured, judged.verdict() == Health.AS_EXPECTED)));
  }

  private Diagnosis judged() {
    List<Costed> costed = new ArrayList<>();
    for (Stated item : stated) {
      Costed withCost = new Costed(item, loss(item));
      if (withCost.isMaterial()) {
        costed.add(withCost);
      } else {
        basis.add(SpecText.of("no effect here: %s", item.detail()));
      }
    }
    costed.sort((a, b) -> Double.compare(b.loss().orElse(1), a.loss().orElse(1)));
    if (measured.isEmpty()) {
      return isUnmodelled ? unmodelled(costed) : fromLog(costed);
    }
    FitDecision healthy = ideal.decide(measured);
    boolean isSlowerThanKnown = healthy.isOff() && healthy.median() > 0;
    if (healthy.isAsExpected() && (costed.isEmpty() || !isSlowerThanKnown)) {
      costed.forEach(
          item ->
              basis.add(
                  SpecText.of("stated, but times are as expected: %s", item.stated().detail())));
      return ideal
          .tooFast(measured)
          .map(cause -> new Diagnosis(Health.TOO_FAST, tooFast(healthy), basis, List.of(cause)))
          .orElseGet(() -> notSlower(healthy));
    }
    if (costed.isEmpty()) {
      return fromTimes(healthy);
    }
    String edits =
        costed.stream()
            .map(item -> item.stated().edits())
            .filter(edit -> !edit.isEmpty())
            .collect(Collectors.joining("; "));
    FitDecision remaining = edits.isEmpty() ? healthy : ideal.withFault(edits).decide(measured);
    double loss = costed.get(0).loss().orElse(1);
    boolean isLargerFault = !remaining.causes().isEmpty() && remaining.slowdown() > loss;
    List<Cause> causes = new ArrayList<>(costed.stream().map(Costed::cause).toList());
    causes.addAll(isLargerFault ? 0 : causes.size(), remaining.causes());
    Cause first = causes.get(0);
    return new Diagnosis(
        Health.FAULT,
        first.kind() == CauseKind.UNKNOWN ? remaining.summary() : first.detail(),
        basis,
        causes);
  }

  private String tooFast(FitDecision healthy) {
    return TextWriter.format(
        "%d sizes, half of them in %.0f %% of the expected time or less",
        measured.size(), 100 * (1 + healthy.median()));
  }

  /** Diagnosis of a run that is not slower than the range of the healthy job. */
  private Diagnosis notSlower(FitDecision healthy) {
    Optional<String> doubt =
        !ideal.knowsTimes(measured)
            ? Optional.of("there are no measured constants for this machine")
            : healthy.within() < LEAST_WITHIN * measured.size()
                ? Optional.of("most times are outside of the range")
                : ideal.hasNetwork() && healthy.median() > MOST_HEALTHY_SLOWDOWN
                    ? Optional.of("half the calls are far slower, as on some healthy clusters")
                    : healthy.isOff()
                        ? Optional.of("the times differ by more than those of healthy machines do")
                        : Optional.empty();
    return doubt
        .map(
            why ->
                new Diagnosis(
                    Health.UNDECIDED,
                    "nothing speaks for a known fault, but " + why + ": " + healthy.summary(),
                    basis,
                    List.of()))
        .orElseGet(() -> new Diagnosis(Health.AS_EXPECTED, healthy.summary(), basis, List.of()));
  }

  private Diagnosis fromCauses(List<Cause> causes, String summary) {
    Cause first = causes.get(0);
    boolean isUnknown =
        first.kind() == CauseKind.UNKNOWN && first.share().orElse(1) >= LEAST_UNKNOWN;
    return new Diagnosis(isUnknown ? Health.UNEXPLAINED : Health.FAULT, summary, basis, causes);
  }

  private Diagnosis fromTimes(FitDecision times) {
    if (!times.causes().isEmpty()) {
      return fromCauses(times.causes(), times.summary());
    }
    return new Diagnosis(
        times.isSlower() ? Health.UNEXPLAINED : Health.UNDECIDED,
        times.summary(),
        basis,
        List.of());
  }

  /** Diagnosis if only sends and receives were measured and no model covers them. */
  private Diagnosis unmodelled(List<Costed> costed) {
    return costed.isEmpty()
        ? new Diagnosis(
            Health.UNDECIDED,
            "no times are known for these sends and receives on this machine and release; measure all_reduce or all_gather as well, or add --log",
            basis,
            List.of())
        : fromLog(costed);
  }

  private Diagnosis fromLog(List<Costed> costed) {
    return costed.isEmpty()
        ? new Diagnosis(
            Health.UNDECIDED,
            "the log states none of the known faults; measurements would show others",
            basis,
            List.of())
        : fromCauses(
            costed.stream().map(Costed::cause).toList(),
            QuantityFormat.joined("; ", costed, item -> item.stated().detail()));
  }

  private OptionalDouble loss(Stated item) {
    if (item.edits().isEmpty()) {
      return OptionalDouble.empty();
    }
    return ideal.loss(item.edits(), calls());
  }

  private List<ForcedCall> calls() {
    return measured.isEmpty()
        ? USUAL_SIZES.stream()
            .flatMap(
                size ->
                    Stream.of(
                        ForcedCall.of(Collective.ALL_REDUCE, size),
                        ForcedCall.of(PeerOperation.ALLTOALL, size)))
            .toList()
        : measured.stream()
            .map(measurement -> ForcedCall.of(measurement.operation(), measurement.sizeBytes()))
            .distinct()
            .toList();
  }
}
