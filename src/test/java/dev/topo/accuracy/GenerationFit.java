package dev.topo.accuracy;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.timing.NodeCall;
import dev.topo.simulator.verdict.CalibrationFit;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The calibrations of generations of GPUs, fitted to {@link GenerationRow}s. */
final class GenerationFit {
  /** All of which published times of many sizes are known. */
  static final List<String> ALL =
      List.of("h100-nvswitch", "a100-nvswitch", "b200-nvswitch", "gb200-nvswitch");

  /** The calibration of Hopper whose model no file names, measured on H200 by this project. */
  static final String HOPPER = "h200-nvswitch";

  private static final String H100 = "h100-nvswitch";

  /** What runs on two GPUs of collectives of floats do not tell of Hopper. */
  private static final Set<Constant> OF_HOPPER =
      EnumSet.of(
          Constant.REDUCE_HALF, Constant.REDUCE_INT8, Constant.PEER_PER_PEER, Constant.PEER_LINK);

  /**
   * What tells H100 from H200: other memory, by which data is copied, and other hosts, on which
   * kernels start and wait. Links, multicast and the waits of the other protocols are the same.
   */
  private static final Set<Constant> OF_H100 =
      EnumSet.of(
          Constant.KERNEL,
          Constant.KERNEL_PER_RANK,
          Constant.STEP_LL,
          Constant.LOAD_LL,
          Constant.LOAD_LL128,
          Constant.COPY_SIMPLE,
          Constant.EXTRA_SIMPLE,
          Constant.REDUCE_HALF,
          Constant.REDUCE_INT8,
          Constant.PEER_PER_PEER,
          Constant.PEER_LINK);

  private static final Map<String, String> MACHINE =
      Map.of(
          H100,
          "sm 90, NVSwitch, H100",
          "a100-nvswitch",
          "sm 80, NVSwitch",
          "b200-nvswitch",
          "sm 100, NVSwitch",
          "gb200-nvswitch",
          "sm 100, NVSwitch, Grace");

  /** The generation at which a fit starts: what the rows do not tell stays as there. */
  private static final Map<String, String> NEAREST =
      Map.of(
          H100,
          HOPPER,
          "a100-nvswitch",
          HOPPER,
          "b200-nvswitch",
          HOPPER,
          "gb200-nvswitch",
          "b200-nvswitch");

  private static final long MOST_BYTES = 16L << 30;

  /**
   * By so much two runs of a call may differ: nine in ten calls of H100 are within it of the middle
   * of their two runs. Rows of the same kernels that differ by more count less, as the host decided
   * their times.
   */
  private static final double RUNS_DIFFER = 0.07;

  /**
   * How much the few rows of large calls count: on B200 much, as they agree with each other and no
   * other row tells links from copies; on A100, where sources differ by 3 %, as each other row.
   */
  private static final Map<String, Double> LARGE_WEIGHT =
      Map.of("a100-nvswitch", 1.0, "b200-nvswitch", 4.0);

  private GenerationFit() {}

  /** The rows of a calibration; of Hopper in common those of H100. */
  static List<GenerationRow> rows(String calibration) {
    String of = calibration.equals(HOPPER) ? H100 : calibration;
    return GenerationRow.all().stream().filter(row -> row.calibration().equals(of)).toList();
  }

  /** A calibration from some of the rows of its systems. */
  static Calibration fit(String name, Predicate<GenerationRow> taken) {
    List<GenerationRow> rows = rows(name).stream().filter(taken).toList();
    return name.equals(HOPPER)
        ? ofHopper(CalibrationFile.shipped(name).orElseThrow(), rows)
        : ofGeneration(name, rows);
  }

  /** The constants of Hopper that the runs of this project do not tell. */
  static Calibration ofHopper(Calibration measured, List<GenerationRow> rows) {
    return run(measured, rows, OF_HOPPER, List.of());
  }

  private static Calibration ofGeneration(String name, List<GenerationRow> rows) {
    Calibration start =
        CalibrationFile.shipped(Objects.requireNonNull(NEAREST.get(name))).orElseThrow();
    Set<Constant> free = name.equals(H100) ? OF_H100 : free(name, rows);
    int gpus = rows.stream().mapToInt(GenerationRow::gpus).max().orElseThrow();
    Set<Constant> published = EnumSet.copyOf(free);
    published.addAll(Constant.OF_NVLS);
    return run(start.with(kept(name, free)), rows, free, ofLargeCalls(name))
        .named(name, origin(name, rows, gpus), spread(name))
        .withPublished(published)
        .withMeasuredOn(new MeasuredOn(Set.of(MACHINE.get(name)), gpus, MOST_BYTES));
  }

  /** The constants of a generation that its rows tell. */
  private static Set<Constant> free(String name, List<GenerationRow> rows) {
    Set<Constant> free = EnumSet.copyOf(Constant.OF_GENERATION);
    free.remove(Constant.PCI_EFFICIENCY);
    free.removeAll(Constant.OF_NVLS_TREE);
    boolean hasMulticast = rows.stream().anyMatch(GenerationRow::isMulticast);
    if (!hasMulticast) {
      free.removeAll(Constant.OF_NVLS);
    }
    if (ofLargeCalls(name).isEmpty()) {
      // Links and copies are not told apart: the links are those of the nearest generation.
      free.remove(Constant.NVLINK_EFFICIENCY);
    }
    return free;
  }

  /** What the rows do not tell and the start does not have. */
  private static Map<Constant, Double> kept(String name, Set<Constant> free) {
    Map<Constant, Double> kept = new EnumMap<>(Constant.class);
    if (name.equals(H100)) {
      return kept;
    }
    Calibration own = CalibrationFile.shipped(name).orElseThrow();
    EnumSet.complementOf(EnumSet.copyOf(free)).stream()
        .filter(Constant.OF_GENERATION::contains)
        .forEach(constant -> kept.put(constant, own.value(constant)));
    if (ofLargeCalls(name).isEmpty()) {
      kept.remove(Constant.NVLINK_EFFICIENCY);
    }
    return kept;
  }

  private static Calibration run(
      Calibration start,
      List<GenerationRow> rows,
      Set<Constant> free,
      List<FitObservation> others) {
    List<FitObservation> observations =
        Stream.concat(weighted(rows).stream(), others.stream()).toList();
    return inRatioOf(
        start.with(
            values(
                new CalibrationFit(
                        observations,
                        start,
                        free,
                        fitted -> GenerationRow.model(inRatioOf(fitted, start)))
                    .run(start.name(), start.origin(), round -> {})
                    .calibration(),
                free)),
        start);
  }

  /** A calibration whose dependent constants have the ratio to their lead that another has. */
  private static Calibration inRatioOf(Calibration calibration, Calibration other) {
    Map<Constant, Double> scaled = new EnumMap<>(Constant.class);
    for (Constant constant : Constant.values()) {
      constant
          .lead()
          .ifPresent(
              lead ->
                  scaled.put(
                      constant,
                      other.value(constant) / other.value(lead) * calibration.value(lead)));
    }
    return calibration.with(scaled);
  }

  /** The text of a shipped calibration: only the constants of its generation of GPUs. */
  static String writeOfGeneration(Calibration calibration) {
    return CalibrationFile.write(calibration, Constant.OF_GENERATION);
  }

  /** The text of the common constants; dependent ones are ratios to their lead constant. */
  static String writeCommon(Calibration calibration) {
    StringBuilder text =
        new StringBuilder("# Constants of all generations of GPUs, fitted to: ")
            .append(calibration.origin())
            .append('\n');
    for (Constant constant : EnumSet.complementOf(EnumSet.copyOf(Constant.OF_GENERATION))) {
      text.append(
          String.format(
              Locale.ROOT,
              "# %s\n%s = %.4g\n",
              constant.lead().map(lead -> "of " + lead.label()).orElse(constant.unit()),
              constant.label(),
              calibration.value(constant) / constant.lead().map(calibration::value).orElse(1.0)));
    }
    return text.toString();
  }

  /** Times of the same kernels by several releases count less the more they differ. */
  private static List<FitObservation> weighted(List<GenerationRow> rows) {
    Map<NodeCall, DoubleSummaryStatistics> times =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    GenerationRow::shape, Collectors.summarizingDouble(GenerationRow::timeUs)));
    return rows.stream().map(row -> row.observation(weight(times.get(row.shape())))).toList();
  }

  private static double weight(DoubleSummaryStatistics times) {
    double differ = times.getMax() / times.getMin() - 1;
    return differ > RUNS_DIFFER ? RUNS_DIFFER / differ : 1;
  }

  /** Busbw of 1 to 16 GiB, larger than the rows are, that others have published. */
  private static List<FitObservation> ofLargeCalls(String name) {
    return PublishedRow.fittedTo(name, row -> true).stream()
        .map(one -> new FitObservation(one.shape(), one.timeUs(), LARGE_WEIGHT.get(name), 0))
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
