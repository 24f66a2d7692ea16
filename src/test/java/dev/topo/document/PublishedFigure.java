package dev.topo.document;

import dev.topo.model.operation.Collective;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A busbw that somebody published of a job of whole machines without settings.
 *
 * @param machine the shipped topology file that stands for theirs, without its ending
 * @param busbwGBps the busbw
 * @param source whose machine it was
 */
record PublishedFigure(
    String machine, int nodes, String operation, long bytes, double busbwGBps, String source) {
  private static final Path FOLDER =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/published");

  /** All that the project has. */
  static List<PublishedFigure> all() {
    List<PublishedFigure> figures = new ArrayList<>();
    for (CSVRecord row : records("rows.csv")) {
      if (isPlain(row, "topology", "edit", "gpus", "env", "algorithm")) {
        figures.add(
            new PublishedFigure(
                stem(row.get("topology")),
                Integer.parseInt(row.get("nodes")),
                row.get("collective"),
                Long.parseLong(row.get("bytes")),
                Double.parseDouble(row.get("busbw_gbps")),
                row.get("machine")));
      }
    }
    Map<String, CSVRecord> clusters = new HashMap<>();
    records("outside-clusters.csv").forEach(row -> clusters.put(row.get("cluster"), row));
    for (CSVRecord row : records("outside.csv")) {
      CSVRecord cluster = clusters.get(row.get("cluster"));
      if (cluster != null
          && isPlain(cluster, "topology", "edits", "gpus", "env", "not_counted")
          && cluster.get("domain_nodes").equals("1")) {
        outside(row, cluster, figures);
      }
    }
    return figures;
  }

  private static void outside(CSVRecord row, CSVRecord cluster, List<PublishedFigure> figures) {
    long bytes = Long.parseLong(row.get("bytes"));
    Collective.ofLabel(row.get("collective").replace("_", ""))
        .ifPresent(
            collective ->
                figures.add(
                    new PublishedFigure(
                        stem(cluster.get("topology")),
                        Integer.parseInt(row.get("nodes")),
                        row.get("collective"),
                        bytes,
                        collective.busbwGBps(
                            bytes,
                            Double.parseDouble(row.get("time_us")),
                            Integer.parseInt(row.get("ranks"))),
                        cluster.get("source"))));
  }

  /** Whether a row has a topology and leaves all other columns empty. */
  private static boolean isPlain(CSVRecord row, String topology, String... others) {
    return !row.get(topology).isEmpty()
        && List.of(others).stream().allMatch(column -> row.get(column).isEmpty());
  }

  private static String stem(String file) {
    return file.replaceFirst("\\.xml$", "");
  }

  private static List<CSVRecord> records(String file) {
    try (Reader reader = Files.newBufferedReader(FOLDER.resolve(file));
        CSVParser parser =
            CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get().parse(reader)) {
      return parser.getRecords();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it is of the call of a row. */
  boolean isOf(ExpectedRow row) {
    return machine.equals(row.machine())
        && nodes == row.nodes()
        && operation.equals(row.operation())
        && bytes == row.bytes();
  }
}
