package dev.topo.accuracy;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.verdict.CalibrationFit;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The calibrations of generations of GPUs, fitted to {@link GenerationRow}s. */
final class GenerationFit {
  /** All of which published times of many sizes are known. */
  static final List<String> ALL =
      List.of("h200-nvswitch", "a100-nvswitch", "b200-nvswitch", "gb200-nvswitch");

  /** What runs on two GPUs of collectives of floats do not tell of Hopper. */
  private static final Set<Constant> OF_HOPPER =
      EnumSet.of(
          Constant.REDUCE_HALF, Constant.REDUCE_INT8, Constant.PEER_PER_PEER, Constant.PEER_LINK);

  private static final Map<String, String> MACHINE =
      Map.of(
          "a100-nvswitch", "sm 80, NVSwitch",
          "b200-nvswitch", "sm 100, NVSwitch",
          "gb200-nvswitch", "sm 100, NVSwitch, Grace");

  /** The generation at which a fit starts: what the rows do not tell stays as there. */
  private static final Map<String, String> NEAREST =
      Map.of(
          "a100-nvswitch", "h200-nvswitch",
          "b200-nvswitch", "h200-nvswitch",
          "gb200-nvswitch", "b200-nvswitch");

  private static final long MOST_BYTES = 16L << 30;

  /**
   * How much the few rows of large calls count: on B200 much, as they agree with each other and no
   * other row tells links from copies; on A100, where sources differ by 3 %, as each other row.
   */
  private static final Map<String, Double> LARGE_WEIGHT =
      Map.of("a100-nvswitch", 1.0, "b200-nvswitch", 4.0);

  private GenerationFit() {}

  /** The rows of a calibration. */
  static List<GenerationRow> rows(String calibration) {
    return GenerationRow.all().stream()
        .filter(row -> row.calibration().equals(calibration))
        .toList();
  }

  /** A calibration from some of the rows of its systems. */
  static Calibration fit(String name, Predicate<GenerationRow> taken) {
    List<GenerationRow> rows = rows(name).stream().filter(taken).toList();
    return name.equals("h200-nvswitch")
        ? ofHopper(CalibrationFile.shipped(name).orElseThrow(), rows)
        : ofGeneration(name, rows);
  }

  /** The constants of Hopper that the runs of this project do not tell. */
  static Calibration ofHopper(Calibration measured, List<GenerationRow> rows) {
    return run(measured, rows, OF_HOPPER, List.of());
  }

  private static Calibration ofGeneration(String name, List<GenerationRow> rows) {
    String nearest = Objects.requireNonNull(NEAREST.get(name));
    Calibration start = CalibrationFile.shipped(nearest).orElseThrow();
    Set<Constant> free = EnumSet.copyOf(Constant.OF_GENERATION);
    free.remove(Constant.PCI_EFFICIENCY);
    free.removeAll(Constant.OF_NVLS_TREE);
    boolean hasMulticast = rows.stream().anyMatch(GenerationRow::isMulticast);
    if (!hasMulticast) {
      free.removeAll(Constant.OF_NVLS);
    }
    boolean hasLargeCalls = !ofLargeCalls(name).isEmpty();
    if (!hasLargeCalls) {
      // Links and copies are not told apart: the links are those of the nearest generation.
      free.remove(Constant.NVLINK_EFFICIENCY);
    }
    Calibration own = CalibrationFile.shipped(name).orElseThrow();
    Map<Constant, Double> kept = new EnumMap<>(Constant.class);
    EnumSet.complementOf(EnumSet.copyOf(free)).stream()
        .filter(Constant.OF_GENERATION::contains)
        .forEach(constant -> kept.put(constant, own.value(constant)));
    if (!hasLargeCalls) {
      kept.put(Constant.NVLINK_EFFICIENCY, start.value(Constant.NVLINK_EFFICIENCY));
    }
    int gpus = rows.stream().mapToInt(GenerationRow::gpus).max().orElseThrow();
    Set<Constant> published = EnumSet.copyOf(free);
    published.addAll(Constant.OF_NVLS);
    return run(start.with(kept), rows, free, ofLargeCalls(name))
        .named(name, origin(name, rows, gpus), spread(name))
        .withPublished(published)
        .withMeasuredOn(new MeasuredOn(Set.of(MACHINE.get(name)), gpus, MOST_BYTES));
  }

  private static Calibration run(
      Calibration start,
      List<GenerationRow> rows,
      Set<Constant> free,
      List<FitObservation> others) {
    List<FitObservation> observations =
        Stream.concat(rows.stream().map(GenerationRow::observation), others.stream()).toList();
    return start
        .with(
            values(
                new CalibrationFit(
                        observations,
                        start,
                        free,
                        fitted -> GenerationRow.model(fitted.inRatioOf(start)))
                    .run(start.name(), start.origin(), round -> {})
                    .calibration(),
                free))
        .inRatioOf(start);
  }

  /** Busbw of 1 to 16 GiB, larger than the rows are, that others have published. */
  private static List<FitObservation> ofLargeCalls(String name) {
    return PublishedRow.fittedTo(name, row -> true).stream()
        .map(one -> new FitObservation(one.shape(), one.timeUs(), LARGE_WEIGHT.get(name)))
        .toList();
  }

  private static Map<Constant, Double> values(Calibration fitted, Set<Constant> of) {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    of.forEach(constant -> values.put(constant, fitted.value(constant)));
    return values;
  }

  /** What large calls are off by that no fit has seen. */
  private static double spread(String name) {
    return KnownSpread.of(name, Launch.EACH, KnownSpread.LARGE)
        .map(known -> Math.min(1, known.part()))
        .orElse(1.0);
  }

  private static String origin(String name, List<GenerationRow> rows, int gpus) {
    return "%d published times of 2 to %d GPUs (AI Configurator, commit 095f58a5, %s, NCCL %s, a thread for each GPU)%s, %s"
        .formatted(
            rows.size(),
            gpus,
            String.join(", ", rows.stream().map(GenerationRow::system).distinct().toList()),
            String.join(", ", rows.stream().map(GenerationRow::nccl).distinct().sorted().toList()),
            ofLargeCalls(name).isEmpty()
                ? ""
                : " and %d of 1 GiB and more (docs/accuracy.md)"
                    .formatted(ofLargeCalls(name).size()),
            "starting from " + NEAREST.get(name));
  }
}
