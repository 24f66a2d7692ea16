package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.sweep.Shard;
import dev.topo.simulator.sweep.SweepPlan;
import dev.topo.simulator.sweep.SweepRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Notes on the work of a sweep. */
public final class SweepNotes {
  private SweepNotes() {}

  /** Notes on tried variants without a time; empty if all have one. */
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
   * The progress of a plan, then the rows without a time.
   *
   * @param part the requested part of it
   * @param parts number of parts of the plan in it
   * @param folder the folder of the results
   */
  public static List<String> of(
      SweepPlan plan, Shard part, int parts, Path folder, SweepRunner.Done done) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "%s: %s%s of %s in %s"
            .formatted(
                plan.spec().name(),
                part.equals(Shard.ALL) ? "" : "shard " + part + ", ",
                parts,
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
