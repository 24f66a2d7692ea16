package dev.topo.simulator.variant;

import dev.topo.model.QuantityFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Changes of variants for the communicators of a job. Communicators that are equal as the job is
 * and in every variant are told together. Collects the variants; used once.
 */
final class SplitChanges {
  private final List<Kind> before;
  private final List<Variant> variants = new ArrayList<>();

  /**
   * Equal communicators.
   *
   * @param colors which communicators of a split these are; empty for a whole job
   */
  record Kind(List<Integer> colors, JobAnswer answer) {
    private boolean has(int color) {
      return colors.isEmpty() || colors.contains(color);
    }
  }

  /**
   * Changes for some communicators.
   *
   * @param label their colours, as in {@code 0-3}; empty for a whole job
   * @param before their answer as the job is
   * @param changes what each variant changes, in the order in which they were added
   */
  record Changed(String label, JobAnswer before, List<JobChange> changes) {}

  /** A variant, or why the job cannot be made. */
  private record Variant(List<Kind> kinds, String failure) {
    private int kind(int color) {
      return SplitChanges.kind(kinds, color).orElse(-1);
    }
  }

  /** Changes against the communicators of a job. */
  SplitChanges(List<Kind> before) {
    this.before = before;
  }

  void add(List<Kind> after) {
    variants.add(new Variant(after, "no such communicator"));
  }

  /** Adds a variant whose job cannot be made. */
  void addFailure(String reason) {
    variants.add(new Variant(List.of(), reason));
  }

  private static Optional<Integer> kind(List<Kind> kinds, int color) {
    return IntStream.range(0, kinds.size())
        .filter(kind -> kinds.get(kind).has(color))
        .boxed()
        .findFirst();
  }

  /** The changes, in the order of the colours. */
  List<Changed> byCommunicator() {
    TreeSet<Integer> colors = new TreeSet<>();
    before.forEach(kind -> colors.addAll(kind.colors()));
    if (colors.isEmpty()) {
      return List.of(changed("", 0));
    }
    Map<List<Integer>, List<Integer>> alike = new LinkedHashMap<>();
    for (int color : colors) {
      List<Integer> kinds = new ArrayList<>(List.of(kind(before, color).orElseThrow()));
      variants.forEach(variant -> kinds.add(variant.kind(color)));
      alike.computeIfAbsent(kinds, key -> new ArrayList<>()).add(color);
    }
    return alike.values().stream()
        .map(members -> changed(QuantityFormat.ranges(members), members.get(0)))
        .toList();
  }

  private Changed changed(String label, int color) {
    JobAnswer old = before.get(kind(before, color).orElseThrow()).answer();
    return new Changed(
        label,
        old,
        variants.stream()
            .map(
                variant ->
                    variant.kind(color) < 0
                        ? JobChange.failed(variant.failure())
                        : JobChange.of(old, variant.kinds().get(variant.kind(color)).answer()))
            .toList());
  }
}
