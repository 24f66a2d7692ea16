package dev.topo.accuracy;

import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.NetworkRanges.Held;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.ResourceTable;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many healthy runs fall below the floors of {@code topo predict --floor}. */
@Tag("slow")
class FloorTest {
  private static final Path DOCUMENTS = Path.of(System.getProperty("topo.root"), "docs/accuracy");

  /** Share of healthy rows that may be below the floor that 99 of 100 exceed. */
  private static final double MOST_BELOW = 0.02;

  /** Predicted by fits and ranges that have not seen the cluster of the row. */
  @Test
  void atMostTwoOf100RowsOfUnseenClustersAreBelowTheFloor() {
    ReferenceData.given("measured/clusters");
    Map<String, List<Held>> networks =
        NetworkRanges.of(NetworkTest.unseen()).leftOut().stream()
            .collect(groupingBy(one -> one.time().network(), TreeMap::new, Collectors.toList()));
    networks.forEach(
        (network, held) -> {
          long below = held.stream().filter(FloorTest::isBelow).count();
          System.out.printf(
              "floor of 99 between nodes, %s: %d of %d healthy rows below it%n",
              network, below, held.size());
        });
    List<Held> all = networks.values().stream().flatMap(List::stream).toList();
    long below = all.stream().filter(FloorTest::isBelow).count();
    assertTrue(below <= MOST_BELOW * all.size(), below + " of " + all.size());
  }

  private static boolean isBelow(Held held) {
    double slower = 1 / (1 + held.time().of().error()) - 1;
    return slower > Verdict.SPREADS * held.part();
  }

  /** A. Lines of a table of this folder, without its heading. */
  private static List<String[]> rows(String file) throws IOException {
    return Files.readAllLines(DOCUMENTS.resolve(file)).stream()
        .skip(1)
        .map(line -> line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1))
        .toList();
  }

  /** Sizes that the fit has not seen, of five systems in a node. */
  @Test
  void atMostTwoOf100RowsInANodeAreBelowTheFloor() throws IOException {
    List<String[]> rows =
        rows("generations.csv").stream().filter(cells -> !cells[9].isEmpty()).toList();
    long below =
        rows.stream()
            .filter(
                cells -> {
                  double predicted = Double.parseDouble(cells[7]);
                  double part = Double.parseDouble(cells[9]) / predicted - 1;
                  return Double.parseDouble(cells[6]) > predicted * (1 + Verdict.SPREADS * part);
                })
            .count();
    System.out.printf(
        "floor of 99 in a node: %d of %d healthy rows below it%n", below, rows.size());
    assertTrue(below <= MOST_BELOW * rows.size(), below + " of " + rows.size());
  }

  @Test
  void clustersAreAsManyAsTheTablesHave() throws IOException {
    Map<String, Integer> stated =
        ResourceTable.lines(KnownSpread.class, "clusters.txt").stream()
            .map(line -> line.split(" +"))
            .collect(Collectors.toMap(cells -> cells[0], cells -> Integer.valueOf(cells[1])));
    for (String[] cells : rows("ranges-between-nodes.csv")) {
      if (cells[1].equals("all")) {
        assertEquals(Integer.valueOf(cells[3]), stated.get(cells[0]), cells[0]);
      }
    }
    Map<String, Long> machines =
        rows("published.csv").stream()
            .collect(
                groupingBy(
                    cells -> cells[9],
                    Collectors.collectingAndThen(
                        Collectors.mapping(cells -> cells[0], Collectors.toSet()),
                        set -> (long) set.size())));
    machines.forEach(
        (calibration, count) ->
            assertTrue(stated.getOrDefault(calibration, 0) <= count, calibration + " " + count));
  }
}
