package dev.topo.accuracy;

import dev.topo.accuracy.GenerationRow.Band;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many of the times that no fit has seen the stated range holds, by stratum: basis, launch,
 * operation and size.
 */
final class RangeStrata {
  /**
   * A time that no fit has seen.
   *
   * @param basis of its range, in the table of spreads
   * @param off what its prediction is off by, as a part of the shorter of both times
   */
  record Judged(String basis, Launch launch, Operation operation, long bytes, double off) {
    Optional<KnownSpread> spread() {
      return KnownSpread.of(basis, launch, operation, bytes);
    }

    boolean isInRange() {
      return spread().filter(known -> off <= known.part()).isPresent();
    }

    /** Which half of the sizes it belongs to. */
    int half() {
      return (Long.SIZE - Long.numberOfLeadingZeros(bytes)) % 2;
    }

    String label() {
      return "%s, %s, %s"
          .formatted(basis, launch.name().toLowerCase(Locale.ROOT), operation.label());
    }
  }

  private final Map<String, Map<Band, List<Judged>>> strata = new TreeMap<>();

  RangeStrata(List<Judged> all) {
    for (Judged one : all) {
      strata
          .computeIfAbsent(one.label(), key -> new EnumMap<>(Band.class))
          .computeIfAbsent(Band.of(one.bytes()), key -> new ArrayList<>())
          .add(one);
    }
  }

  /** The strata of which the range holds too few times, or so many that it is too wide. */
  List<String> off() {
    List<String> off = new ArrayList<>();
    strata.forEach(
        (label, bands) ->
            bands.forEach(
                (band, times) -> {
                  if (!RangeRule.isAsStated(times.get(0).launch, held(times), times.size())) {
                    off.add(label + ", " + band.label() + ": " + cell(times));
                  }
                }));
    return off;
  }

  private static boolean isShown(List<Judged> times) {
    return times.size() >= RangeRule.LEAST_TIMES;
  }

  private static long held(List<Judged> times) {
    return times.stream().filter(Judged::isInRange).count();
  }

  /** The part of the times from 256 KiB on that have a range. */
  double withRange() {
    List<Judged> large =
        strata.values().stream()
            .flatMap(bands -> bands.entrySet().stream())
            .filter(entry -> entry.getKey() != Band.SMALL)
            .flatMap(entry -> entry.getValue().stream())
            .toList();
    return (double) large.stream().filter(one -> one.spread().isPresent()).count() / large.size();
  }

  /** Of each stratum the times that the range holds, and how many there are. */
  AccuracyFile file() {
    AccuracyFile file =
        new AccuracyFile("basis,launch,operation,sizes,times,in_range,in_range_percent");
    strata.forEach(
        (label, bands) ->
            bands.forEach(
                (band, times) -> {
                  if (isShown(times)) {
                    String[] of = label.split(", ", -1);
                    long held = held(times);
                    file.add(
                        of[0],
                        of[1],
                        of[2],
                        band.label(),
                        times.size(),
                        held,
                        AccuracyFile.percent((double) held / times.size()));
                  }
                }));
    return file;
  }

  private static String cell(List<Judged> times) {
    return String.format(
        Locale.ROOT, "%.0f %% of %d", 100.0 * held(times) / times.size(), times.size());
  }

  /** What ranges hold that are made from the other half of the sizes of a stratum. */
  String tableOfHalves() {
    StringBuilder text =
        new StringBuilder(
                "| size | times | % in range | % in a range made from every second size |\n")
            .append("|---|---:|---:|---:|\n");
    for (Band band : Band.values()) {
      List<List<Judged>> judged =
          strata.values().stream()
              .map(bands -> bands.getOrDefault(band, List.of()))
              .filter(RangeStrata::isShown)
              .toList();
      int times = judged.stream().mapToInt(List::size).sum();
      long held = judged.stream().mapToLong(RangeStrata::held).sum();
      long byHalves = judged.stream().mapToLong(this::heldByHalves).sum();
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %.0f | %.0f |\n",
              band.label(),
              times,
              100.0 * held / times,
              100.0 * byHalves / times));
    }
    return text.toString();
  }

  private long heldByHalves(List<Judged> times) {
    long held = 0;
    for (int half = 0; half < 2; half++) {
      int of = half;
      double part = part(times, 1 - half);
      held += times.stream().filter(one -> one.half() == of && one.off() <= part).count();
    }
    return held;
  }

  /** The range of a stratum that one half of the sizes gives. */
  private double part(List<Judged> times, int half) {
    Judged first = times.get(0);
    Band band = Band.of(first.bytes);
    double ofAll =
        RangeRule.usual(
            strata.values().stream()
                .flatMap(bands -> bands.getOrDefault(band, List.of()).stream())
                .filter(one -> one.basis.equals(first.basis) && one.launch == first.launch)
                .filter(one -> one.half() == half)
                .mapToDouble(Judged::off)
                .toArray());
    double[] off =
        times.stream().filter(one -> one.half() == half).mapToDouble(Judged::off).toArray();
    return RangeRule.part(first.launch, band.fromBytes(), off, ofAll);
  }
}
