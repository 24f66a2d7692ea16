package dev.topo.simulator.variant;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Changes by variants for the communicators of a job. Communicators that are equal in the unchanged
 * job and in every variant form one entry. Collects the variants; used once.
 */
final class SplitChanges {
  /** The unchanged job, then the variants. */
  private final List<List<Communicators<JobAnswer>>> jobs = new ArrayList<>();

  /** For each job, the reason why a communicator is missing. */
  private final List<String> failures = new ArrayList<>();

  /**
   * Changes for some communicators.
   *
   * @param label their colours: {@code 0-3}; empty for a whole job
   * @param before their answer in the unchanged job
   * @param changes the changes by each variant, in the order of addition
   */
  record Changed(String label, JobAnswer before, List<JobChange> changes) {}

  /** Changes against the communicators of a job. */
  SplitChanges(List<Communicators<JobAnswer>> before) {
    add(before);
  }

  void add(List<Communicators<JobAnswer>> after) {
    jobs.add(after);
    failures.add("no such communicator");
  }

  /** Adds a variant whose job cannot be built. */
  void addFailure(String reason) {
    jobs.add(List.of());
    failures.add(reason);
  }

  /** The changes, in the order of the colours. */
  List<Changed> byCommunicator() {
    List<Changed> changed = new ArrayList<>();
    for (Communicators<List<Optional<JobAnswer>>> alike : Communicators.alike(jobs)) {
      JobAnswer before = alike.value().get(0).orElseThrow();
      changed.add(
          new Changed(
              alike.label(),
              before,
              IntStream.range(1, jobs.size())
                  .mapToObj(
                      job ->
                          alike
                              .value()
                              .get(job)
                              .map(after -> JobChange.of(before, after))
                              .orElseGet(() -> JobChange.failed(failures.get(job))))
                  .toList()));
    }
    return changed;
  }
}
