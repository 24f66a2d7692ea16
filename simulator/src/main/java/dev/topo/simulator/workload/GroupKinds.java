package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.Alike;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Joins the calls of groups of one kind: a job with tensor parallelism on 1,024 ranks has 128
 * groups that make the same calls. Groups are of one kind if they have the same title and number of
 * ranks, and their calls differ in nothing but the ranks: operation, size, type, launch, what ran
 * beside them, and what the model says of them. The places of the ranks in the machine need not be
 * compared, as they matter only through the expected time.
 */
final class GroupKinds {
  private record Key(
      CallKind kind,
      int ranks,
      List<List<Long>> sent,
      boolean overlapped,
      boolean concurrent,
      CallSite.Basis basis,
      Object outcome) {
    static Key of(CallSite site, Object outcome) {
      ProcessGroup group = site.kind().group();
      return new Key(
          site.kind().in(new ProcessGroup("", group.title(), List.of())),
          group.size(),
          site.sent(),
          site.isOverlapped(),
          site.isConcurrent(),
          site.basis(),
          outcome);
    }
  }

  private GroupKinds() {}

  /**
   * Joins the entries of groups of one kind; those with the longest time per rank come first.
   *
   * @param site returns the calls of an entry
   * @param outcome returns further values that must be equal, such as the expected time
   * @param merge joins entries, which are in the order of ranks, to one entry with the given site
   */
  static <T> List<T> together(
      List<T> entries,
      Function<T, CallSite> site,
      Function<T, Object> outcome,
      BiFunction<List<T>, CallSite, T> merge) {
    record Row<T>(T entry, double spentUs) {}
    return Alike.by(entries, entry -> Key.of(site.apply(entry), outcome.apply(entry)))
        .values()
        .stream()
        .map(
            alike -> {
              alike.sort(Comparator.comparingInt(entry -> firstRank(site.apply(entry))));
              CallSite calls = CallSite.together(alike.stream().map(site).toList());
              return new Row<>(merge.apply(alike, calls), calls.totalUs() * calls.share(1));
            })
        .sorted(Comparator.comparingDouble((Row<T> row) -> row.spentUs).reversed())
        .map(Row::entry)
        .toList();
  }

  private static int firstRank(CallSite site) {
    return site.kind().group().ranks().stream().mapToInt(rank -> rank).min().orElse(0);
  }
}
