package dev.topo.simulator.diagnosis;

import dev.topo.inspect.log.FailureSign;
import dev.topo.inspect.log.FailureSign.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Puts what shows that a run failed before the causes that its settings and times give. */
final class FailureCauses {
  private FailureCauses() {}

  /** The diagnosis with the failures; warnings come after what the log states to be the cause. */
  static Diagnosis with(List<FailureSign> failures, Diagnosis other) {
    if (failures.isEmpty()) {
      return other;
    }
    List<Cause> causes = new ArrayList<>();
    cause(Kind.WRONG_RESULTS, failures).ifPresent(causes::add);
    cause(Kind.STOPPED, failures).ifPresent(causes::add);
    List<Cause> stated =
        other.causes().stream().filter(cause -> cause.certainty() == Certainty.STATED).toList();
    causes.addAll(stated);
    cause(Kind.WARNED, failures).ifPresent(causes::add);
    other.causes().stream().filter(cause -> !stated.contains(cause)).forEach(causes::add);
    return new Diagnosis(
        Health.FAULT, causes.get(0).detail(), other.basis(), causes, other.reached());
  }

  private static CauseKind causeOf(Kind kind) {
    return switch (kind) {
      case WRONG_RESULTS -> CauseKind.WRONG_RESULTS;
      case STOPPED -> CauseKind.FAILED_RUN;
      case WARNED, HARMLESS -> CauseKind.NCCL_WARNING;
    };
  }

  private static Optional<Cause> cause(Kind kind, List<FailureSign> failures) {
    List<FailureSign> all = failures.stream().filter(failure -> failure.kind() == kind).toList();
    return all.stream()
        .filter(failure -> !failure.meaning().isEmpty())
        .findFirst()
        .or(() -> all.stream().findFirst())
        .map(
            first ->
                new Cause(
                    causeOf(kind),
                    Certainty.STATED,
                    first.text() + (first.meaning().isEmpty() ? "" : ": " + first.meaning()),
                    OptionalDouble.empty(),
                    all.stream()
                        .map(failure -> new Evidence(failure.place(), failure.text()))
                        .toList(),
                    first.check().isEmpty()
                        ? Confirmation.of(causeOf(kind))
                        : List.of("check " + first.check())));
  }
}
