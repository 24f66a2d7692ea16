package dev.topo.sweep.result;

import dev.topo.model.diagnostic.FileFault;
import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.diagnostic.OutputException;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/** Rows as a compressed CSV file. A file that is there is whole: it is written beside its place. */
final class PartFile {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

  private PartFile() {}

  /**
   * Writes a file. A process that is killed leaves it as it was; what it had begun is written over
   * by the next that writes it.
   *
   * @throws OutputException if it cannot be written
   */
  static void write(Path file, List<String> axes, List<ResultRow> rows) {
    Path begun = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      try (FileChannel channel =
          FileChannel.open(
              begun,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        GZIPOutputStream zip = new GZIPOutputStream(Channels.newOutputStream(channel));
        Writer out = new BufferedWriter(new OutputStreamWriter(zip, StandardCharsets.UTF_8));
        print(true, axes, rows, out);
        out.flush();
        zip.finish();
        channel.force(true);
      }
      Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new OutputException("cannot write " + file + ": " + FileFault.words(e), e);
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
   * @throws TopologyFormatException if it is damaged, or has other columns
   */
  static void read(Path file, List<String> axes, Consumer<ResultRow> rows) {
    long line = 1;
    try (BufferedReader text =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(InputFile.open(file, "results of a sweep")),
                    StandardCharsets.UTF_8));
        CSVParser parser = CSVParser.parse(text, FORMAT)) {
      for (CSVRecord record : parser) {
        if (line == 1 && !record.toList().equals(ResultRow.header(axes))) {
          throw damaged(file, "has other columns than the sweep");
        }
        if (line > 1) {
          rows.accept(ResultRow.ofCells(record.toList(), axes.size()));
        }
        line++;
      }
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw damaged(file, "is damaged (row " + line + ": " + e.getMessage() + ")");
    }
    if (line == 1) {
      throw damaged(file, "is empty");
    }
  }

  private static TopologyFormatException damaged(Path file, String why) {
    return new TopologyFormatException(
        SourceLocation.of(file.toString()), why + ", delete it and run the sweep again");
  }
}
