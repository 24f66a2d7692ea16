package dev.topo.document;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/expected.csv and the table of docs/expected.md hold what {@code topo predict} answers for
 * every shipped machine; with {@code -Dgolden.update=true} they are written first.
 */
@Tag("slow")
class ExpectedBusbwTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** Questions of their own: without a calibration, sends and receives have no times. */
  private static final List<String> OPERATIONS =
      List.of("all_reduce,all_gather,reduce_scatter,broadcast,reduce", "alltoall");

  private static final String SIZES = "1M,64M,1G";

  /** Machines that are workstations, or that have no network for a job of several. */
  private static final List<String> SINGLE =
      List.of("rtx3090-2-bridged", "rtx4090-2", "rtx-pro-6000-8");

  /** Trays of a rack: their nodes are one NVLink domain. */
  private static final List<String> TRAYS = List.of("gb200-tray", "gb300-tray");

  private static final List<Integer> NODES = List.of(1, 2, 4, 8, 16);

  @Test
  void documentsHoldWhatIsPredicted() throws IOException {
    List<ExpectedRow> rows = rows();
    List<PublishedFigure> published = PublishedFigure.all();
    DocumentTables.checkFile("docs/expected.csv", csv(rows, published));
    DocumentTables.check("docs/expected.md", Map.of("expected", ExpectedTable.of(rows, published)));
  }

  /** A machine that is added gets its rows. */
  @Test
  void everyShippedMachineWithSeveralRanksHasRows() throws IOException {
    String csv = Files.readString(ROOT.resolve("docs/expected.csv"));
    for (String machine : machines()) {
      assertTrue(csv.contains("\n" + machine + ",") || machine.equals("gtx1660-1"), machine);
    }
  }

  private static List<ExpectedRow> rows() throws IOException {
    List<ExpectedRow> rows = new ArrayList<>();
    for (String machine : machines()) {
      String xml = Files.readString(ROOT.resolve("topologies/" + machine + ".xml"));
      boolean hasPeers = xml.split("<gpu ", -1).length > 2;
      for (int nodes : NODES) {
        boolean isUsed = nodes == 1 ? hasPeers : !isSingle(machine);
        if (isUsed) {
          boolean isDomain = TRAYS.contains(machine);
          OPERATIONS.forEach(
              names -> rows.addAll(ExpectedRow.of(machine, nodes, isDomain, names, SIZES)));
        }
      }
    }
    return rows;
  }

  private static boolean isSingle(String machine) {
    return SINGLE.contains(machine) || machine.equals("gtx1660-1");
  }

  private static List<String> machines() throws IOException {
    try (var files = Files.list(ROOT.resolve("topologies"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".xml"))
          .map(name -> name.substring(0, name.length() - ".xml".length()))
          .sorted()
          .toList();
    }
  }

  private static String csv(List<ExpectedRow> rows, List<PublishedFigure> published)
      throws IOException {
    StringWriter out = new StringWriter();
    CSVFormat format = CSVFormat.DEFAULT.builder().setRecordSeparator("\n").get();
    try (CSVPrinter printer = new CSVPrinter(out, format)) {
      printer.printRecord(
          List.of(
              "machine,nodes,gpus,operation,bytes,busbw_gbps,low_gbps,high_gbps,choice,channels,limited_by,rests_on,published_gbps,published_by"
                  .split(",")));
      for (ExpectedRow row : rows) {
        List<PublishedFigure> same = published.stream().filter(one -> one.isOf(row)).toList();
        printer.printRecord(
            row.machine(),
            row.nodes(),
            row.ranks(),
            row.operation(),
            row.bytes(),
            cell(OptionalDouble.of(row.busbwGBps())),
            cell(row.lowGBps()),
            cell(row.highGBps()),
            row.choice(),
            row.channels(),
            row.limit(),
            row.source(),
            same.stream()
                .map(figure -> cell(OptionalDouble.of(figure.busbwGBps())))
                .collect(Collectors.joining("; ")),
            same.stream().map(PublishedFigure::source).collect(Collectors.joining("; ")));
      }
    }
    return out.toString();
  }

  private static String cell(OptionalDouble value) {
    return value.isEmpty() ? "" : String.format(Locale.ROOT, "%.4g", value.getAsDouble());
  }
}
