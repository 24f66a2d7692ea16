package dev.topo.simulator.sweep;

import dev.topo.simulator.sweep.Ranking.Limit;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;

/**
 * Reads the results of a sweep and compares its designs. Memory grows with the number of rows: each
 * outcome is kept. An instance reads one answer.
 */
public final class AnswerReader {
  /** Name of the axis of machines. */
  static final String MACHINE = "machine";

  private static final String FABRIC = "fabric";

  private final SweepInfo info;
  private final Ranking ranking;
  private final Map<Scenario, Integer> scenarios = new LinkedHashMap<>();
  private final Map<List<String>, Entry> designs = new LinkedHashMap<>();
  private final Set<String> notes = new LinkedHashSet<>();

  /** Caveats and bases already split into notes: most rows have the same texts. */
  private final Set<String> seenTexts = new LinkedHashSet<>();

  /** A design while its rows are read. */
  private static final class Entry {
    private final ResultRow first;
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();

    Entry(ResultRow first) {
      this.first = first;
    }

    void add(int scenario, ResultRow row) {
      while (outcomes.size() <= scenario) {
        outcomes.add(Outcome.error("not evaluated yet"));
        keys.add("");
      }
      outcomes.set(scenario, row.outcome());
      keys.set(scenario, row.key());
    }
  }

  private AnswerReader(SweepInfo info, Ranking ranking) {
    this.info = info;
    this.ranking = ranking;
  }

  /**
   * Compares the designs of a folder by the prices, objective and limits of a specification.
   *
   * @throws dev.topo.model.io.TopologyFormatException if a part is damaged
   */
  public static SweepAnswer read(ResultFolder folder, Ranking ranking) {
    AnswerReader reader = new AnswerReader(folder.info(), ranking);
    TreeSet<Integer> parts = folder.parts();
    int missing = folder.info().parts() - parts.size();
    if (missing > 0) {
      reader.notes.add(
          "%s of %s parts are not there: this is about the others"
              .formatted(missing, folder.info().parts()));
    }
    reader.notes.addAll(folder.info().caveats());
    parts.forEach(part -> folder.read(part, reader::add));
    return reader.answer();
  }

  private void add(ResultRow row) {
    List<String> values = new ArrayList<>(List.of(row.machine()));
    values.addAll(row.values());
    values.add(row.fabric());
    int scenario = scenarios.computeIfAbsent(Scenario.of(row), key -> scenarios.size());
    designs.computeIfAbsent(values, key -> new Entry(row)).add(scenario, row);
    for (String text : List.of(row.caveats(), row.basis())) {
      if (!text.isEmpty() && seenTexts.add(text)) {
        notes.addAll(Arrays.asList(text.split(" \\| ")));
      }
    }
  }

  private SweepAnswer answer() {
    List<ComparedDesign> comparedDesigns = new ArrayList<>();
    designs.forEach((values, entry) -> comparedDesigns.add(design(values, entry)));
    List<ComparedDesign> kept = comparedDesigns.stream().filter(this::isWithinLimits).toList();
    List<String> allNotes = new ArrayList<>(notes);
    if (kept.isEmpty() && !comparedDesigns.isEmpty()) {
      allNotes.add(0, nearest(comparedDesigns));
    }
    double[] bestMerit = best(kept, this::merit);
    double[] bestSpeed = best(kept, this::speed);
    List<ComparedDesign> compared =
        new ArrayList<>(
            kept.stream()
                .map(
                    design ->
                        design.with(
                            mean(design, this::merit, bestMerit),
                            mean(design, this::speed, bestSpeed)))
                .toList());
    // Stable: equal designs stay in the order of the specification.
    compared.sort(Comparator.comparingDouble(design -> -design.merit().orElse(-1)));
    List<String> axes = axes(comparedDesigns);
    List<Scenario> scenarioList = List.copyOf(scenarios.keySet());
    return new SweepAnswer(
        info.name(),
        ranking,
        axes,
        scenarioList,
        compared,
        AxisEffect.of(axes, scenarioList, compared),
        comparedDesigns.size() - kept.size(),
        allNotes);
  }

  private List<String> allAxes() {
    List<String> axes = new ArrayList<>(List.of(MACHINE));
    axes.addAll(info.axes());
    axes.add(FABRIC);
    return axes;
  }

  /** The axes on which the designs have several values. */
  private List<String> axes(List<ComparedDesign> designs) {
    return allAxes().stream()
        .filter(
            axis ->
                designs.stream().map(design -> design.values().get(axis)).distinct().count() > 1)
        .toList();
  }

  private ComparedDesign design(List<String> values, Entry entry) {
    Map<String, String> byAxis = new LinkedHashMap<>();
    List<String> axes = allAxes();
    for (int i = 0; i < axes.size(); i++) {
      byAxis.put(axes.get(i), values.get(i));
    }
    int missing = scenarios.size() - entry.outcomes.size();
    entry.outcomes.addAll(Collections.nCopies(missing, Outcome.error("not evaluated yet")));
    entry.keys.addAll(Collections.nCopies(missing, ""));
    return new ComparedDesign(
        byAxis,
        entry.first.nics(),
        entry.first.nicGbps(),
        ranking.prices().ofNode(entry.first.nics(), byAxis),
        entry.first.edits(),
        entry.keys,
        entry.outcomes,
        OptionalDouble.empty(),
        OptionalDouble.empty());
  }

  /** Note with the best value that any design reaches for each limit, in its worst scenario. */
  private String nearest(List<ComparedDesign> designs) {
    SortedMap<Limit, Double> reached = new TreeMap<>(ranking.limits());
    reached.replaceAll((limit, bound) -> limit.best(designs));
    return "limits: the best design by each limit alone reaches " + Limit.text(reached);
  }

  private boolean isWithinLimits(ComparedDesign design) {
    return ranking.limits().entrySet().stream()
        .allMatch(limit -> limit.getKey().isKept(design, limit.getValue()));
  }

  /** The objective of a design in a scenario; higher is better, 0 without an answer. */
  private double merit(ComparedDesign design, int scenario) {
    double speed = speed(design, scenario);
    return switch (ranking.objective()) {
      case TIME -> speed;
      case BUSBW -> design.outcomes().get(scenario).busbwGBps().orElse(0);
      case SPEED_PER_PRICE -> speed / Math.max(design.nodePrice(), Double.MIN_NORMAL);
      case SPEED_PER_NIC -> speed / Math.max(1, design.nics());
    };
  }

  /** Calls or steps per microsecond of a design in a scenario; 0 without an answer. */
  private double speed(ComparedDesign design, int scenario) {
    OptionalDouble time = design.outcomes().get(scenario).timeUs();
    return time.isPresent() ? 1 / time.getAsDouble() : 0;
  }

  /** The best value of a measure in each scenario. */
  private double[] best(
      List<ComparedDesign> designs, ToDoubleBiFunction<ComparedDesign, Integer> measure) {
    double[] best = new double[scenarios.size()];
    for (int s = 0; s < best.length; s++) {
      for (ComparedDesign design : designs) {
        best[s] = Math.max(best[s], measure.applyAsDouble(design, s));
      }
    }
    return best;
  }

  /**
   * Geometric mean over the scenarios of a design's measure relative to the best: twice as good in
   * one scenario and half as good in another is equal. Empty if an answer is missing.
   */
  private static OptionalDouble mean(
      ComparedDesign design, ToDoubleBiFunction<ComparedDesign, Integer> measure, double[] best) {
    double logs = 0;
    for (int s = 0; s < best.length; s++) {
      double value = measure.applyAsDouble(design, s);
      if (value <= 0) {
        return OptionalDouble.empty();
      }
      logs += Math.log(value / best[s]);
    }
    return best.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.exp(logs / best.length));
  }
}
