package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Predictions for calls on different numbers of equal nodes.
 *
 * @param machine the name of the machine
 * @param forecasts the predictions for each number of nodes, in ascending order; at least one
 */
public record Scaling(String machine, List<CommunicatorPredictions> forecasts) {
  public Scaling {
    forecasts = List.copyOf(forecasts);
  }

  /**
   * Facts that the predictions do not model, in words, with the numbers of nodes they apply to
   * unless these are all.
   */
  public List<String> caveats() {
    return byNodes(CommunicatorPredictions::caveats);
  }

  /** The caveats without those on the constants and their ranges. */
  public List<String> limits() {
    return byNodes(CommunicatorPredictions::limits);
  }

  /** True if nodes are NVLink domains of several hosts: the user states numbers of hosts. */
  public boolean isByHosts() {
    return forecasts.stream().anyMatch(forecast -> forecast.nHosts() > forecast.nNodes());
  }

  /** The stated number of nodes, which are hosts where an NVLink domain has several. */
  public int stated(CommunicatorPredictions forecast) {
    return isByHosts() ? forecast.nHosts() : forecast.nNodes();
  }

  /** What {@link #stated} counts. */
  public String noun() {
    return isByHosts() ? "host" : "node";
  }

  private List<String> byNodes(Function<CommunicatorPredictions, List<String>> said) {
    Map<String, TreeSet<Integer>> nodes = new LinkedHashMap<>();
    for (CommunicatorPredictions forecast : forecasts) {
      for (String caveat : said.apply(forecast)) {
        nodes.computeIfAbsent(caveat, key -> new TreeSet<>()).add(stated(forecast));
      }
    }
    return nodes.entrySet().stream()
        .map(
            entry ->
                entry.getValue().size() == forecasts.size()
                    ? entry.getKey()
                    : "on %s: %s".formatted(text(entry.getValue()), entry.getKey()))
        .toList();
  }

  private String text(TreeSet<Integer> nodes) {
    return nodes.size() == 1
        ? QuantityFormat.count(nodes.first(), noun())
        : nodes.first() + " to " + QuantityFormat.count(nodes.last(), noun());
  }
}
