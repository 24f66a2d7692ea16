package dev.topo.cli.output.change;

import dev.topo.cli.output.Json;
import dev.topo.inspect.compare.Difference;
import dev.topo.model.MachineFormat;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.compare.JobChange;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Differences as data. Two machines: {@code a, b, job, differences[]} (kind, sentence, property,
 * before, after, places[], change) and {@code together}. A fleet: {@code files, job, groups[]}
 * (files, reference, differences[], change) and {@code unreadable[]}. A change: {@code failure,
 * graphs[], choices[], busbw[]}.
 */
public final class DiffJson {
  private static final MathContext DIGITS = new MathContext(4);

  private DiffJson() {}

  /** Two machines. */
  public static String of(DiffResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("a", side(result.a()));
    tree.put("b", side(result.b()));
    tree.put("job", job(result.settings()));
    List<Object> differences = new ArrayList<>();
    for (DiffResult.Tried tried : result.differences()) {
      Map<String, Object> entry = difference(tried.difference());
      entry.put("change", change(tried.change()));
      differences.add(entry);
    }
    tree.put("differences", differences);
    tree.put("together", change(result.together()));
    return Json.write(tree);
  }

  /** A fleet. */
  public static String of(FleetResult result) {
    FleetResult.Reference reference = result.reference().orElseThrow();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("files", result.nFiles());
    tree.put("job", job(reference.settings()));
    List<Object> groups = new ArrayList<>();
    groups.add(group(reference.files(), true, List.of(), Optional.empty()));
    for (FleetResult.Odd odd : result.odd()) {
      groups.add(group(odd.files(), false, odd.differences(), Optional.of(odd.change())));
    }
    tree.put("groups", groups);
    tree.put(
        "unreadable",
        result.unreadable().stream()
            .map(one -> Map.of("file", one.file().toString(), "message", one.message()))
            .map(DiffJson::sorted)
            .toList());
    return Json.write(tree);
  }

  private static Map<String, Object> sorted(Map<String, String> map) {
    return new java.util.TreeMap<>(map);
  }

  private static Map<String, Object> group(
      List<Path> files,
      boolean isReference,
      List<Difference> differences,
      Optional<JobChange> change) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("reference", isReference);
    entry.put("files", files.stream().map(Path::toString).toList());
    entry.put("differences", differences.stream().map(DiffJson::difference).toList());
    entry.put("change", change.map(c -> (Object) change(c)).orElse(Json.NULL));
    return entry;
  }

  private static Map<String, Object> side(DiffResult.Side side) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", side.name());
    entry.put("file", side.file().toString());
    entry.put("summary", MachineFormat.summary(side.topology()));
    return entry;
  }

  private static Map<String, Object> job(DiffSettings settings) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("nodes", settings.nodes());
    entry.put("nRanks", settings.nRanks());
    entry.put("failure", settings.failure().map(f -> (Object) f).orElse(Json.NULL));
    entry.put(
        "calibration", settings.calibrations().isEmpty() ? "none" : settings.calibrations().get(0));
    entry.put("calibrations", settings.calibrations());
    entry.put("isCalibrated", Set.of(Source.CALIBRATION).containsAll(settings.sources()));
    entry.put("sources", settings.sources().stream().map(Source::label).sorted().toList());
    return entry;
  }

  private static Map<String, Object> difference(Difference difference) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("kind", difference.kind().label());
    entry.put("sentence", difference.sentence());
    entry.put("property", difference.property());
    entry.put("before", difference.before());
    entry.put("after", difference.after());
    List<Object> places = new ArrayList<>();
    for (Difference.Place place : difference.places()) {
      Map<String, Object> at = new LinkedHashMap<>();
      at.put("name", place.name());
      at.put("a", location(place.inA()));
      at.put("b", location(place.inB()));
      places.add(at);
    }
    entry.put("places", places);
    return entry;
  }

  private static Object location(Optional<SourceLocation> location) {
    if (location.isEmpty()) {
      return Json.NULL;
    }
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("line", location.get().line());
    entry.put("column", location.get().column());
    return entry;
  }

  private static Map<String, Object> change(JobChange change) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("failure", change.failure().map(f -> (Object) f).orElse(Json.NULL));
    List<Object> graphs = new ArrayList<>();
    for (JobChange.GraphChange graph : change.graphs()) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("kind", graph.kind().label());
      line.put("property", graph.property());
      line.put("before", graph.before());
      line.put("after", graph.after());
      graphs.add(line);
    }
    entry.put("graphs", graphs);
    List<Object> choices = new ArrayList<>();
    for (JobChange.ChoiceChange choice : change.choices()) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("collective", choice.collective().label());
      line.put("firstBytes", choice.firstBytes());
      line.put("lastBytes", choice.lastBytes());
      line.put("before", choice.before());
      line.put("after", choice.after());
      choices.add(line);
    }
    entry.put("choices", choices);
    List<Object> busbw = new ArrayList<>();
    for (JobChange.BusbwChange one : change.busbw()) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("collective", one.call().collective().label());
      line.put("sizeBytes", one.call().sizeBytes());
      line.put("beforeGBps", new BigDecimal(one.beforeGBps()).round(DIGITS));
      line.put("afterGBps", new BigDecimal(one.afterGBps()).round(DIGITS));
      line.put("isCalibrated", one.isCalibrated());
      line.put("sources", one.sources().stream().map(Source::label).toList());
      busbw.add(line);
    }
    entry.put("busbw", busbw);
    return entry;
  }
}
