package dev.topo.simulator.diagnosis;

import dev.topo.inspect.trace.CallFront;
import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.Connection;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Finds the ranks for which the others of a communicator wait, and who waits over which port. */
public final class HangDiagnosis {
  /** Number of waiting ranks that are named. */
  private static final int MOST_NAMED = 4;

  private final Optional<Connection> connection;
  private final List<Cause> causes = new ArrayList<>();

  private HangDiagnosis(Optional<Connection> connection) {
    this.connection = connection;
  }

  /**
   * Diagnoses what RAS or dumps of the Flight Recorder state.
   *
   * @param input the machines of the job, if the user states them; its texts are not read
   */
  public static Diagnosis of(List<CallFront> fronts, DiagnosisInput input, JobEvaluator evaluator) {
    HangDiagnosis hang =
        new HangDiagnosis(
            input
                .machine()
                .map(
                    machine ->
                        new DiagnosedJob(
                                machine,
                                input.gpus(),
                                input.nodes().orElse(1),
                                input.settings(),
                                input.rules().orElse(ReleaseRules.DEFAULT),
                                1)
                            .evaluated(evaluator)
                            .communicator()
                            .connection()));
    Alike.by(fronts, CallFront::communicator).values().forEach(hang::add);
    hang.causes.sort(Comparator.comparing(cause -> cause.kind() != CauseKind.MISSING_RANKS));
    return hang.causes.isEmpty()
        ? new Diagnosis(
            Health.UNDECIDED,
            "no rank is behind: in every communicator, those that answered came to the same last call",
            List.of(),
            List.of())
        : new Diagnosis(Health.FAULT, hang.causes.get(0).detail(), List.of(), hang.causes);
  }

  private void add(List<CallFront> all) {
    List<CallFront> fronts = all.stream().filter(front -> front.number() >= 0).toList();
    long most = fronts.stream().mapToLong(CallFront::number).max().orElse(0);
    List<CallFront> foremost = fronts.stream().filter(front -> front.number() == most).toList();
    List<CallFront> behind =
        all.stream()
            .filter(front -> front.number() < most)
            .sorted(Comparator.comparing(CallFront::number))
            .toList();
    int known = all.stream().mapToInt(CallFront::count).sum();
    for (CallFront front : behind) {
      String others = foremost.isEmpty() ? "" : foremost.get(0).call();
      add(
          CauseKind.MISSING_RANKS,
          ranks(front)
              + (front.number() < 0
                  ? " did not answer"
                  : front.number() + 1 == most
                      ? " never entered " + others
                      : " stopped after %s, others are at %s".formatted(front.call(), others)),
          front,
          known);
    }
    Set<String> calls = new LinkedHashSet<>();
    foremost.forEach(front -> calls.add(front.call()));
    if (calls.size() > 1) {
      CallFront fewest =
          foremost.stream().min(Comparator.comparing(CallFront::count)).orElseThrow();
      calls.remove(fewest.call());
      add(
          CauseKind.MISSING_RANKS,
          "%s entered %s where others entered %s"
              .formatted(ranks(fewest), fewest.call(), String.join(", ", calls)),
          fewest,
          known);
    } else if (behind.isEmpty() && foremost.stream().anyMatch(front -> !front.isDone())) {
      CallFront stuck =
          foremost.stream().filter(front -> !front.isDone()).findFirst().orElseThrow();
      add(
          CauseKind.FAILED_RUN,
          stuck.count() == stuck.size()
              ? "all %s ranks are in %s, none is done: a GPU, a link or the network stands still"
                  .formatted(stuck.size(), stuck.call())
              : "%s did not finish %s (%s of %s ranks)"
                  .formatted(ranks(stuck), stuck.call(), stuck.count(), stuck.size()),
          stuck,
          known);
    }
  }

  /** Adds a cause; {@code known} is the number of ranks that answered. */
  private void add(CauseKind kind, String detail, CallFront front, int known) {
    causes.add(
        new Cause(
            kind,
            Certainty.STATED,
            detail + (kind == CauseKind.MISSING_RANKS ? waiting(front) : ""),
            OptionalDouble.empty(),
            List.of(
                new Evidence(
                    "communicator " + front.communicator(),
                    "%s of %s ranks, the last call of these: %s%s"
                        .formatted(
                            front.count(),
                            front.size() == 0 ? "unknown" : front.size(),
                            front.number() > 0 ? front.call() : "none",
                            known < front.size()
                                ? "; nothing is known of %s more".formatted(front.size() - known)
                                : ""))),
            Confirmation.of(kind)));
  }

  /** The ranks and their hosts, or the nodes of the stated machines. */
  private String ranks(CallFront front) {
    if (front.hosts().isEmpty()) {
      return QuantityFormat.count(front.count(), "rank");
    }
    List<Integer> ranks = List.copyOf(front.hosts().keySet());
    Set<String> hosts = new TreeSet<>(front.hosts().values());
    if (hosts.contains("") && isOfJob(front)) {
      hosts.clear();
      ranks.forEach(rank -> hosts.add("node " + connection.orElseThrow().nodeOf(rank)));
    }
    hosts.remove("");
    return QuantityFormat.ranges("rank", ranks)
        + (hosts.isEmpty() ? "" : " (%s)".formatted(String.join(", ", hosts)));
  }

  private boolean isOfJob(CallFront front) {
    return connection.filter(job -> job.nRanks() == front.size()).isPresent();
  }

  /** The ranks that wait in a ring for data of missing ones on another node, with their ports. */
  private String waiting(CallFront front) {
    if (!isOfJob(front)) {
      return "";
    }
    Connection job = connection.orElseThrow();
    Set<String> waiting = new LinkedHashSet<>();
    for (int channel = 0; channel < job.nChannels(); channel++) {
      for (int rank : IntStream.range(0, job.nRanks()).toArray()) {
        int from = job.rings().prev(channel, rank);
        int node = job.nodeOf(rank);
        if (front.hosts().containsKey(from)
            && !front.hosts().containsKey(rank)
            && node != job.nodeOf(from)) {
          job.rings()
              .nets(channel, node)
              .ifPresent(
                  nets ->
                      waiting.add(
                          "rank %s waits for rank %s over %s"
                              .formatted(rank, from, job.portName(node, nets.in()))));
        }
      }
    }
    return waiting.isEmpty()
        ? ""
        : "; "
            + String.join(", ", waiting.stream().limit(MOST_NAMED).toList())
            + (waiting.size() > MOST_NAMED ? " and others" : "");
  }
}
