package dev.topo.simulator.diagnosis;

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
 * Diagnoses a known job: from the statements of the log, with their predicted cost, and from the
 * times.
 */
final class JobDiagnosis {
  /** Least slowdown of a stated cause; those that cost less are notes. */
  private static final double LEAST_LOSS = 1.15;

  /**
   * Slowdown between nodes from which on a job is not called healthy, even without a known fault.
   */
  private static final double FAR = 0.5;

  /** Probability of an unknown cause below which a known one is likelier. */
  private static final double LEAST_UNKNOWN = 0.5;

  /** Sizes in bytes for which costs are given if nothing was measured. */
  private static final List<Long> USUAL_SIZES = List.of(1L << 20, 1L << 26, 1L << 30);

  private final JobFit ideal;
  private final List<Stated> stated;
  private final List<TimedCall> measured;
  private final boolean isUnmodelled;
  private final List<SpecText> basis;

  JobDiagnosis(JobFit ideal, List<Stated> stated, List<TimedCall> measured, List<SpecText> basis) {
    this.ideal = ideal;
    this.stated = stated;
    this.measured = ideal.known(measured);
    this.isUnmodelled = this.measured.size() < measured.size();
    this.basis = new ArrayList<>(basis);
  }

  /**
   * Stated cause with its cost.
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
    return judged().showing(ideal.reached(measured));
  }

  private Diagnosis judged() {
    List<Costed> costed = new ArrayList<>();
    for (Stated item : stated) {
      Costed with = new Costed(item, loss(item));
      if (with.isMaterial()) {
        costed.add(with);
      } else {
        basis.add(SpecText.of("no effect here: %s", item.detail()));
      }
    }
    costed.sort((a, b) -> Double.compare(b.loss().orElse(1), a.loss().orElse(1)));
    if (measured.isEmpty()) {
      return isUnmodelled ? unmodelled(costed) : ofLog(costed);
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
      return byTimes(healthy, List.of());
    }
    String edits =
        costed.stream()
            .map(item -> item.stated().edits())
            .filter(edit -> !edit.isEmpty())
            .collect(Collectors.joining("; "));
    FitDecision remaining = edits.isEmpty() ? healthy : ideal.withFault(edits).decide(measured);
    double loss = costed.get(0).loss().orElse(1);
    boolean isOther = !remaining.causes().isEmpty() && remaining.slowdown() > loss;
    List<Cause> causes = new ArrayList<>(costed.stream().map(Costed::cause).toList());
    causes.addAll(isOther ? 0 : causes.size(), remaining.causes());
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

  /** Diagnosis of a run that is not slower than expected, as far as can be known. */
  private Diagnosis notSlower(FitDecision healthy) {
    Optional<String> doubt =
        !ideal.knowsTimes(measured)
            ? Optional.of("there are no measured constants for this machine")
            : ideal.hasNetwork() && healthy.median() > FAR
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

  private static Diagnosis ofCauses(List<Cause> causes, String summary, List<SpecText> basis) {
    Cause first = causes.get(0);
    boolean isUnknown =
        first.kind() == CauseKind.UNKNOWN && first.share().orElse(1) >= LEAST_UNKNOWN;
    return new Diagnosis(isUnknown ? Health.UNEXPLAINED : Health.FAULT, summary, basis, causes);
  }

  private Diagnosis byTimes(FitDecision times, List<Cause> before) {
    List<Cause> causes = new ArrayList<>(before);
    causes.addAll(times.causes());
    if (!causes.isEmpty()) {
      return ofCauses(causes, times.summary(), basis);
    }
    return new Diagnosis(
        times.isSlower() ? Health.UNEXPLAINED : Health.UNDECIDED,
        times.summary(),
        basis,
        List.of());
  }

  /** Diagnosis of measured sends and receives without a model of their times. */
  private Diagnosis unmodelled(List<Costed> costed) {
    return costed.isEmpty()
        ? new Diagnosis(
            Health.UNDECIDED,
            "no times are known for these sends and receives on this machine and release; measure all_reduce or all_gather as well, or add --log",
            basis,
            List.of())
        : ofLog(costed);
  }

  private Diagnosis ofLog(List<Costed> costed) {
    return costed.isEmpty()
        ? new Diagnosis(
            Health.UNDECIDED,
            "the log states none of the known faults; measurements would show others",
            basis,
            List.of())
        : ofCauses(
            costed.stream().map(Costed::cause).toList(),
            QuantityFormat.joined("; ", costed, item -> item.stated().detail()),
            basis);
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
            .map(
                measurement ->
                    ForcedCall.of(measurement.call().operation(), measurement.sizeBytes()))
            .distinct()
            .toList();
  }
}
