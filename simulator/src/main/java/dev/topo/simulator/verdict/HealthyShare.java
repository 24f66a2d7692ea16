package dev.topo.simulator.verdict;

import dev.topo.model.Labels;
import dev.topo.model.io.ResourceTable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The fraction of a link kind's bandwidth that every healthy measured or published run exceeds.
 *
 * @param fromBytes smallest size for which it holds
 * @param part the fraction of the bandwidth
 * @param nodes the largest number of nodes of these runs
 */
public record HealthyShare(LinkKind kind, long fromBytes, double part, int nodes) {
  private static final String FILE = "healthy-shares.txt";
  private static final List<HealthyShare> TABLE =
      ResourceTable.lines(HealthyShare.class, FILE).stream().map(HealthyShare::parse).toList();

  public static List<HealthyShare> all() {
    return TABLE;
  }

  static Optional<HealthyShare> of(LinkKind kind, long sizeBytes) {
    return TABLE.stream()
        .filter(share -> share.kind == kind && share.fromBytes <= sizeBytes)
        .max(Comparator.comparingLong(HealthyShare::fromBytes));
  }

  private static HealthyShare parse(String line) {
    String[] cells = line.split(" +");
    LinkKind kind =
        Labels.exact(LinkKind.values(), LinkKind::label, cells[0])
            .orElseThrow(() -> new IllegalStateException(FILE + ": " + line));
    return new HealthyShare(
        kind, Long.parseLong(cells[1]), Double.parseDouble(cells[2]), Integer.parseInt(cells[3]));
  }
}
