package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.sweep.Shard;
import dev.topo.simulator.sweep.SweepPlan;
import dev.topo.simulator.sweep.SweepRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Notes on the progress of a sweep, besides its results. */
public final class SweepNotes {
  private SweepNotes() {}

  /** Returns a note if some of the variants tried have no time; otherwise empty. */
  public static List<String> of(SweepRunner.Sample tried) {
    return tried.failed() == 0
        ? List.of()
        : List.of(
            "note: of %s that were tried %s no time, the first: %s"
                .formatted(
                    QuantityFormat.count(tried.nanos().size(), "variant"),
                    tried.failed() == 1 ? "1 row has" : tried.failed() + " rows have",
                    tried.reason()));
  }

  /**
   * Returns the progress of a sweep, then a note on rows without a time.
   *
   * @param shard the shard of the plan that was requested
   * @param chunks the number of chunks of the plan in that shard
   * @param folder the folder with the results
   */
  public static List<String> of(
      SweepPlan plan, Shard shard, int chunks, Path folder, SweepRunner.Done done) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "%s: %s%s of %s in %s"
            .formatted(
                plan.spec().name(),
                shard.equals(Shard.ALL) ? "" : "shard " + shard + ", ",
                chunks,
                QuantityFormat.count(plan.chunks(), "part"),
                folder));
    if (done.failed() > 0) {
      notes.add(
          "note: %s of %s have no time, the first: %s"
              .formatted(
                  done.failed(), QuantityFormat.count(done.rows(), "new row"), done.reason()));
    }
    return notes;
  }
}
