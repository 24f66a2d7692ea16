package dev.topo.simulator.sweep;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.io.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Rows as a compressed CSV file with a checksum. A file that is there is whole: it is written
 * beside its place.
 */
final class PartFile {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

  private PartFile() {}

  /**
   * Writes a file. A process that is killed leaves it as it was.
   *
   * @throws OutputException if it cannot be written
   */
  static void write(Path file, List<String> axes, List<ResultRow> rows) {
    try {
      StringBuilder text = new StringBuilder();
      print(true, axes, rows, text);
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      WholeFile.replaceDurably(file, out -> PackedText.write(bytes, out));
    } catch (IOException e) {
      throw new OutputException("cannot write " + file + ": " + FileFault.text(e), e);
    }
  }

  /** Writes rows as CSV. */
  static void print(boolean hasHeader, List<String> axes, List<ResultRow> rows, Appendable out)
      throws IOException {
    CSVPrinter printer = new CSVPrinter(out, FORMAT);
    if (hasHeader) {
      printer.printRecord(ResultRow.header(axes));
    }
    for (ResultRow row : rows) {
      printer.printRecord(row.cells());
    }
  }

  /**
   * Reads a file, one row at a time, and checks it: only what is said after its end is true of the
   * rows.
   *
   * @throws TopologyFormatException if it is damaged, or not this part of the sweep
   */
  static PartSummary read(
      Path file, SweepInfo info, int part, Inputs inputs, Consumer<ResultRow> rows) {
    try (InputStream in = inputs.open(file, "results of a sweep")) {
      return read(in, file.toString(), info, part, rows);
    } catch (IOException e) {
      throw new TopologyFormatException(
          SourceLocation.of(file.toString()), "cannot be read (" + FileFault.text(e) + ")", e);
    }
  }

  /** Reads the bytes of a part. */
  static PartSummary read(
      InputStream in, String source, SweepInfo info, int part, Consumer<ResultRow> rows) {
    long line = 0;
    try (PackedText text = PackedText.open(in)) {
      List<String> header = ResultRow.header(info.axes());
      CellReader cells =
          new CellReader(
              new InputStreamReader(text, StandardCharsets.UTF_8.newDecoder()), header.size());
      line = 1;
      if (!cells.next().equals(header)) {
        throw damaged(source, "has other columns than the sweep");
      }
      PartCheck check = new PartCheck(info, part);
      line++;
      for (List<String> row = cells.next(); !row.isEmpty(); row = cells.next()) {
        ResultRow read = row(row, info.axes().size());
        check.next(read);
        rows.accept(read);
        line++;
      }
      check.end();
      return new PartSummary(text.checksum(), check.rows(), check.failed());
    } catch (IOException e) {
      String where = line == 0 ? "" : "row " + line + ": ";
      throw damaged(source, "is damaged (" + where + FileFault.text(e) + ")");
    }
  }

  private static ResultRow row(List<String> cells, int axes) throws IOException {
    try {
      return ResultRow.ofCells(cells, axes);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static TopologyFormatException damaged(String source, String why) {
    return new TopologyFormatException(
        SourceLocation.of(source), why + ", delete it and run the sweep again");
  }
}
