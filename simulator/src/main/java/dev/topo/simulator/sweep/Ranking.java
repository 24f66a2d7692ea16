package dev.topo.simulator.sweep;

import dev.topo.model.io.PlainNumber;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * By what designs are compared. It changes no row of the results.
 *
 * @param objective the measure
 * @param prices what a node costs
 * @param limits what a design must keep
 */
public record Ranking(Objective objective, Prices prices, Limits limits) {
  /** A measure of a row. */
  public enum Objective {
    /** Time of the call or workload: the less the better. */
    TIME("time"),
    /** nccl-tests' busbw of the call. */
    BUSBW("busbw"),
    /** Calls or steps per second, by the price of all nodes. */
    SPEED_PER_PRICE("speed-per-price"),
    SPEED_PER_NIC("speed-per-nic");

    private final String label;

    Objective(String label) {
      this.label = label;
    }

    /** The name in a specification. */
    public String label() {
      return label;
    }
  }

  /**
   * The prices of a node, in any currency.
   *
   * @param node a node without what has a price of its own
   * @param nic each network card
   * @param values what a value of an axis, a machine or a fabric adds to each node, by axis and
   *     value; the axes {@code machine} and {@code fabric} are those
   */
  public record Prices(double node, double nic, Map<String, Map<String, Double>> values) {
    public Prices {
      Map<String, Map<String, Double>> copy = new LinkedHashMap<>();
      values.forEach(
          (axis, some) -> copy.put(axis, Collections.unmodifiableMap(new LinkedHashMap<>(some))));
      values = Collections.unmodifiableMap(copy);
    }

    boolean areGiven() {
      return node > 0
          || nic > 0
          || values.values().stream()
              .anyMatch(some -> some.values().stream().anyMatch(price -> price > 0));
    }

    /** The price of a node with some cards and these values by axis. */
    double ofNode(int nics, Map<String, String> chosen) {
      double price = node + nics * nic;
      for (Map.Entry<String, String> entry : chosen.entrySet()) {
        price += values.getOrDefault(entry.getKey(), Map.of()).getOrDefault(entry.getValue(), 0.0);
      }
      return price;
    }
  }

  /**
   * The limits of a row in an answer; each empty where there is no limit.
   *
   * @param nodePrice most that a node may cost
   * @param nics most network cards of a node
   * @param busbwGBps least busbw of a call in GB/s
   * @param timeUs longest time in microseconds
   * @param gpuMiB most memory of a GPU that NCCL may take, in MiB
   */
  public record Limits(
      OptionalDouble nodePrice,
      OptionalDouble nics,
      OptionalDouble busbwGBps,
      OptionalDouble timeUs,
      OptionalDouble gpuMiB) {
    /** The limits as a specification has them. */
    public String text() {
      List<String> words = new ArrayList<>();
      nodePrice.ifPresent(most -> words.add("node-price " + number(most)));
      nics.ifPresent(most -> words.add("nics " + number(most)));
      busbwGBps.ifPresent(least -> words.add("busbw-gbps " + number(least)));
      timeUs.ifPresent(most -> words.add("time-us " + number(most)));
      gpuMiB.ifPresent(most -> words.add("gpu-memory-mib " + number(most)));
      return String.join(", ", words);
    }

    public static String number(double value) {
      return PlainNumber.of(value).toPlainString();
    }
  }
}
