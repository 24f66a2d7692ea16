package dev.topo.simulator.sweep;

import dev.topo.model.Labels;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.PlainNumber;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * The criteria by which designs are compared; they do not change the results.
 *
 * @param objective the measure
 * @param prices the prices of a node
 * @param limits bounds that a design must keep
 */
public record Ranking(Objective objective, Prices prices, SortedMap<Limit, Double> limits) {
  private static final double MIB = 1 << 20;

  public Ranking {
    limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
  }

  /** The measure by which designs are ranked. */
  public enum Objective {
    /** Time of the call or workload; lower is better. */
    TIME,
    /** nccl-tests' busbw of the call. */
    BUSBW,
    /** Calls or steps per second, divided by the price of a node. */
    SPEED_PER_PRICE,
    /** Calls or steps per second, divided by the number of network cards of a node. */
    SPEED_PER_NIC;

    /** The name in a specification. */
    public String label() {
      return Labels.of(this);
    }
  }

  /**
   * The prices of a node, in any currency.
   *
   * @param node price of a node without the parts that have a price of their own
   * @param nic price of each network card
   * @param values extra price of a node, by axis and value; machines and fabrics are the axes
   *     {@code machine} and {@code fabric}
   */
  public record Prices(double node, double nic, Map<String, Map<String, Double>> values) {
    public Prices {
      Map<String, Map<String, Double>> copy = new LinkedHashMap<>();
      values.forEach(
          (axis, some) -> copy.put(axis, Collections.unmodifiableMap(new LinkedHashMap<>(some))));
      values = Collections.unmodifiableMap(copy);
    }

    /** True if any price is above 0. */
    boolean areGiven() {
      return node > 0
          || nic > 0
          || values.values().stream()
              .anyMatch(some -> some.values().stream().anyMatch(price -> price > 0));
    }

    /** Price of a node with a number of network cards and the given values by axis. */
    double ofNode(int nics, Map<String, String> chosen) {
      double price = node + nics * nic;
      for (Map.Entry<String, String> entry : chosen.entrySet()) {
        price += values.getOrDefault(entry.getKey(), Map.of()).getOrDefault(entry.getValue(), 0.0);
      }
      return price;
    }
  }

  /** A measure that a specification can limit; what counts is a design's worst scenario. */
  public enum Limit {
    /** Highest price of a node. */
    NODE_PRICE("node-price", false, design -> OptionalDouble.of(design.nodePrice())),
    /** Most network cards of a node. */
    NICS("nics", false, design -> OptionalDouble.of(design.nics())),
    /** Lowest busbw of a call in GB/s. */
    BUSBW(
        "busbw-gbps",
        true,
        design ->
            design.outcomes().stream()
                .flatMapToDouble(outcome -> outcome.busbwGBps().stream())
                .min()),
    /** Longest time in microseconds. */
    TIME(
        "time-us",
        false,
        design ->
            design.outcomes().stream().flatMapToDouble(outcome -> outcome.timeUs().stream()).max()),
    /** Most GPU memory that NCCL may take, in MiB. */
    GPU_MEMORY(
        "gpu-memory-mib",
        false,
        design -> design.gpuBytes().stream().mapToDouble(bytes -> bytes / MIB).findFirst());

    private final String label;
    private final boolean isLowerBound;
    private final Function<ComparedDesign, OptionalDouble> measure;

    Limit(String label, boolean isLowerBound, Function<ComparedDesign, OptionalDouble> measure) {
      this.label = label;
      this.isLowerBound = isLowerBound;
      this.measure = measure;
    }

    /** The name in a specification. */
    String label() {
      return label;
    }

    /** True if a design keeps a bound, or if its measure is not known. */
    boolean isKept(ComparedDesign design, double bound) {
      OptionalDouble value = measure.apply(design);
      return isLowerBound ? value.orElse(bound) >= bound : value.orElse(bound) <= bound;
    }

    /** The best value that any of the designs reaches. */
    double best(List<ComparedDesign> designs) {
      DoubleStream values =
          designs.stream()
              .mapToDouble(
                  design -> measure.apply(design).orElse(isLowerBound ? 0 : Double.MAX_VALUE));
      return (isLowerBound ? values.max() : values.min()).orElse(0);
    }

    /** Limits with values, as written in a specification. */
    static String text(SortedMap<Limit, Double> values) {
      return QuantityFormat.joined(
          ", ",
          values.entrySet(),
          entry -> entry.getKey().label + " " + PlainNumber.of(entry.getValue()).toPlainString());
    }
  }
}
