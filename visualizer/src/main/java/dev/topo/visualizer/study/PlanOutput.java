package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.sweep.Axis;
import dev.topo.simulator.sweep.Question;
import dev.topo.simulator.sweep.SweepPlan;
import dev.topo.simulator.sweep.SweepSpec;
import dev.topo.simulator.sweep.Switches;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;

/** The plan of a sweep as text and as JSON. */
public final class PlanOutput {
  /**
   * An estimate of the running time of a sweep.
   *
   * @param seconds the running time on all cores
   * @param cores the number of cores
   * @param sampled the number of variants evaluated for the estimate
   */
  public record Estimate(double seconds, int cores, int sampled) {
    private static final double DAY = 24 * 3600;

    private String text() {
      String time =
          seconds < 60
              ? TextWriter.format("%.0f s", Math.max(1, seconds))
              : seconds < 5400
                  ? TextWriter.format("%.0f min", seconds / 60)
                  : seconds < 3 * DAY
                      ? TextWriter.format("%.1f h", seconds / 3600)
                      : TextWriter.format("%.0f days", seconds / DAY);
      return "about %s on %s (%s tried)"
          .formatted(
              time, QuantityFormat.count(cores, "core"), QuantityFormat.count(sampled, "variant"));
    }
  }

  private record AxisEntry(String name, List<String> values) {}

  private static final Fields<SweepPlan> PLAN =
      Fields.of(SweepPlan.class)
          .field("name", plan -> plan.spec().name())
          .field("spec", SweepPlan::hash)
          .field("designs", SweepPlan::designs)
          .field("variants", SweepPlan::size)
          .field("rows", SweepPlan::rows)
          .field("parts", SweepPlan::parts)
          .field("axes", PlanOutput::axes)
          .field("questions", PlanOutput::questions);

  private PlanOutput() {}

  /** Returns a plan as text. */
  public static Answer text(SweepPlan plan, Estimate estimate) {
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s of %s, %s",
        plan.spec().name(),
        QuantityFormat.count(plan.size(), "variant"),
        QuantityFormat.count(plan.designs(), "design"),
        QuantityFormat.count(plan.rows(), "row"));
    axes(plan).forEach(axis -> out.line("  %s: %s", axis.name, String.join(", ", axis.values)));
    out.line("  asked: %s", String.join(", ", questions(plan)));
    out.lines("  note: ", plan.notes()).line("  time: %s", estimate.text());
    return Answer.of(out);
  }

  /** Returns a plan as JSON. */
  public static Answer json(SweepPlan plan, Estimate estimate) {
    return Json.document(
        "sweep-plan",
        plan.notes(),
        PLAN.field("seconds", sweepPlan -> estimate.seconds)
            .field("cores", sweepPlan -> estimate.cores),
        plan);
  }

  private static List<String> questions(SweepPlan plan) {
    return plan.spec().questions().stream().map(Question::label).toList();
  }

  private static List<AxisEntry> axes(SweepPlan plan) {
    SweepSpec spec = plan.spec();
    List<AxisEntry> axes = new ArrayList<>();
    axes.add(new AxisEntry("machine", spec.machines().stream().map(file -> file.name()).toList()));
    for (Axis axis : spec.axes()) {
      axes.add(
          new AxisEntry(
              axis.name(),
              axis instanceof Axis.Listed listed
                  ? listed.values().stream().map(Axis.Value::name).toList()
                  : List.of("placements of network cards")));
    }
    axes.add(new AxisEntry("fabric", spec.fabrics().stream().map(Switches::name).toList()));
    axes.add(new AxisEntry("nodes", spec.nodes().stream().map(String::valueOf).toList()));
    return axes;
  }
}
