package dev.topo.simulator.verdict;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The part of the bandwidth of a kind of link that every healthy measured or published run exceeds.
 *
 * @param kind the kind of link
 * @param fromBytes from which size on
 * @param part the part
 * @param nodes the largest number of nodes of these runs
 */
public record HealthyShare(LinkKind kind, long fromBytes, double part, int nodes) {
  private static final String FILE = "healthy-shares.txt";
  private static final List<HealthyShare> TABLE = read();

  /** All of the table. */
  public static List<HealthyShare> all() {
    return TABLE;
  }

  static Optional<HealthyShare> of(LinkKind kind, long sizeBytes) {
    return TABLE.stream()
        .filter(share -> share.kind == kind && share.fromBytes <= sizeBytes)
        .max(Comparator.comparingLong(HealthyShare::fromBytes));
  }

  private static List<HealthyShare> read() {
    try (InputStream in = HealthyShare.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + FILE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(HealthyShare::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HealthyShare parse(String line) {
    String[] cells = line.strip().split(" +");
    LinkKind kind =
        Arrays.stream(LinkKind.values())
            .filter(one -> one.label().equals(cells[0]))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(FILE + ": " + line));
    return new HealthyShare(
        kind, Long.parseLong(cells[1]), Double.parseDouble(cells[2]), Integer.parseInt(cells[3]));
  }
}
