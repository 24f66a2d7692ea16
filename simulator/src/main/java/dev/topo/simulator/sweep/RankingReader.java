package dev.topo.simulator.sweep;

import dev.topo.inspect.measured.YamlNode;
import dev.topo.simulator.sweep.Ranking.Limit;
import dev.topo.simulator.sweep.Ranking.Objective;
import dev.topo.simulator.sweep.Ranking.Prices;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the prices, the objective and the limits of a specification. */
final class RankingReader {
  private static final String PRICE = "a price from 0 on";
  private static final String LIMIT = "a number from 0 on";

  private final YamlNode.Fields spec;

  /** Names of the values that may have a price, by axis. Placements have no names and no prices. */
  private final Map<String, Set<String>> values = new LinkedHashMap<>();

  RankingReader(
      YamlNode.Fields spec, List<Axis> axes, List<MachineFile> machines, List<Switches> fabrics) {
    this.spec = spec;
    machines.forEach(machine -> add("machine", machine.name()));
    for (Axis axis : axes) {
      if (axis instanceof Axis.Listed listed) {
        listed.values().forEach(value -> add(axis.name(), value.name()));
      }
    }
    fabrics.forEach(fabric -> add("fabric", fabric.name()));
  }

  private void add(String axis, String value) {
    values.computeIfAbsent(axis, key -> new LinkedHashSet<>()).add(value);
  }

  Ranking ranking(List<Question> questions) {
    Prices prices = spec.find("prices").map(this::prices).orElse(new Prices(0, 0, Map.of()));
    Optional<YamlNode> stated = spec.find("objective");
    Objective objective =
        stated
            .map(node -> SpecReader.one(node, Objective.values(), Objective::label))
            .orElse(Objective.TIME);
    if (objective == Objective.SPEED_PER_PRICE && !prices.areGiven()) {
      throw stated.orElse(spec).error("expected prices");
    }
    if (objective == Objective.BUSBW
        && !questions.stream().allMatch(Question.OneCall.class::isInstance)) {
      throw stated.orElse(spec).error("a workload has no busbw, expected time");
    }
    return new Ranking(
        objective,
        prices,
        spec.find("limits")
            .map(limits -> limits(limits, prices, questions))
            .orElse(new TreeMap<>()));
  }

  private Prices prices(YamlNode node) {
    double base = 0;
    double nic = 0;
    Map<String, Map<String, Double>> valuePrices = new LinkedHashMap<>();
    for (Map.Entry<String, YamlNode> entry : node.fields("prices of a node").fields().entrySet()) {
      String name = entry.getKey();
      if (name.equals("node")) {
        base = price(entry.getValue());
      } else if (name.equals("nic")) {
        nic = price(entry.getValue());
      } else {
        valuePrices.put(name, axisPrices(name, entry.getValue()));
      }
    }
    return new Prices(base, nic, valuePrices);
  }

  private Map<String, Double> axisPrices(String axis, YamlNode node) {
    Set<String> known = values.get(axis);
    if (known == null) {
      throw node.error(
          "price of %s: expected node, nic, or one of the axes %s"
              .formatted(axis, String.join(", ", values.keySet())));
    }
    Map<String, Double> prices = new LinkedHashMap<>();
    node.fields("prices: a map from a value of " + axis + " to a number")
        .requireOnly(known)
        .fields()
        .forEach((value, price) -> prices.put(value, price(price)));
    return prices;
  }

  private static double price(YamlNode node) {
    return price(node, PRICE);
  }

  private static double price(YamlNode node, String expected) {
    double price = SpecReader.number(node, expected);
    if (price < 0) {
      throw node.error("expected " + expected);
    }
    return price;
  }

  private SortedMap<Limit, Double> limits(YamlNode node, Prices prices, List<Question> questions) {
    YamlNode.Fields limits =
        node.fields("limits")
            .requireOnly(
                Arrays.stream(Limit.values())
                    .map(Limit::label)
                    .collect(Collectors.toCollection(LinkedHashSet::new)));
    if (limits.find(Limit.NODE_PRICE.label()).isPresent() && !prices.areGiven()) {
      throw limits.wrong(Limit.NODE_PRICE.label(), "expected prices");
    }
    if (limits.find(Limit.BUSBW.label()).isPresent()
        && questions.stream().noneMatch(Question.OneCall.class::isInstance)) {
      throw limits.wrong(Limit.BUSBW.label(), "a workload has no busbw, expected time-us");
    }
    if (limits.find(Limit.GPU_MEMORY.label()).isPresent()
        && !spec.find("memory").map(SpecReader::truth).orElse(false)) {
      throw limits.wrong(Limit.GPU_MEMORY.label(), "expected memory: true");
    }
    SortedMap<Limit, Double> bounds = new TreeMap<>();
    for (Limit limit : Limit.values()) {
      limits.find(limit.label()).ifPresent(bound -> bounds.put(limit, price(bound, LIMIT)));
    }
    return bounds;
  }
}
