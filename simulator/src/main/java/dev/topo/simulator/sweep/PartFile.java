package dev.topo.simulator.sweep;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.Gzip;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.io.WholeFile;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * Writes and reads parts of results: rows as CSV, compressed with gzip. Reading verifies the
 * checksum of gzip. A file is written under a temporary name first, so that an existing part is
 * complete.
 */
final class PartFile {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

  private static final int BUFFER = 1 << 16;

  /**
   * Summary of a complete part.
   *
   * @param checksum CRC-32 of its CSV text
   * @param rows number of rows
   */
  record Summary(long checksum, long rows) {}

  private PartFile() {}

  /**
   * Writes a part atomically: if the process is killed, the previous file remains.
   *
   * @throws OutputException if it cannot be written
   */
  static void write(Path file, List<String> axes, List<ResultRow> rows) {
    try {
      WholeFile.replaceDurably(file, out -> write(axes, rows, out));
    } catch (IOException e) {
      throw OutputException.of("cannot write " + file, e);
    }
  }

  /** Writes the bytes of a part; the stream stays open. */
  static void write(List<String> axes, List<ResultRow> rows, OutputStream out) throws IOException {
    OutputStream unclosed =
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
          }

          @Override
          public void close() throws IOException {
            flush();
          }
        };
    // Closing the gzip stream frees the memory of zlib.
    try (Writer text =
        new OutputStreamWriter(new GZIPOutputStream(unclosed, BUFFER), StandardCharsets.UTF_8)) {
      print(true, axes, rows, text);
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
   * Reads a file, one row at a time.
   *
   * @throws TopologyFormatException if it is damaged
   */
  static Summary read(Path file, List<String> axes, Inputs inputs, Consumer<ResultRow> rows) {
    try (InputStream in = inputs.open(file, "results of a sweep")) {
      return read(in, file.toString(), axes, rows);
    } catch (IOException e) {
      throw new TopologyFormatException(
          file.toString(), "cannot be read (" + FileFault.text(e) + ")", e);
    }
  }

  /** Reads a part from a stream, and passes each row to a consumer. */
  static Summary read(InputStream in, String source, List<String> axes, Consumer<ResultRow> rows) {
    long row = 1;
    try (CheckedInputStream text = new CheckedInputStream(Gzip.unpacked(in), new CRC32());
        CSVParser parser =
            FORMAT.parse(new InputStreamReader(text, StandardCharsets.UTF_8.newDecoder()))) {
      Iterator<CSVRecord> lines = parser.iterator();
      List<String> above = ResultRow.header(axes);
      if (!lines.hasNext() || !lines.next().toList().equals(above)) {
        throw damaged(source, "has other columns than the sweep");
      }
      for (; lines.hasNext(); row++) {
        above = sharing(above, lines.next().toList());
        rows.accept(row(above, axes.size()));
      }
      return new Summary(text.getChecksum().getValue(), row - 1);
    } catch (IOException e) {
      throw damaged(source, row, e);
    } catch (UncheckedIOException e) {
      throw damaged(source, row, Objects.requireNonNull(e.getCause()));
    }
  }

  /** The cells of a row; a cell that equals the one above it shares its object, to save memory. */
  private static List<String> sharing(List<String> above, List<String> cells) {
    List<String> shared = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      shared.add(i < above.size() && cell.equals(above.get(i)) ? above.get(i) : cell);
    }
    return shared;
  }

  private static ResultRow row(List<String> cells, int axes) throws IOException {
    try {
      return ResultRow.ofCells(cells, axes);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static TopologyFormatException damaged(String source, long row, IOException e) {
    return damaged(source, "is damaged (row %s: %s)".formatted(row, FileFault.text(e)));
  }

  private static TopologyFormatException damaged(String source, String why) {
    return new TopologyFormatException(source, why + ", delete it and run the sweep again");
  }
}
