package dev.topo.visualizer.view;

import dev.topo.model.io.PlainNumber;
import dev.topo.visualizer.view.SplitAnswer.Part;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes results as comma-separated values (RFC 4180, but with line feeds as line ends): a header
 * with names in snake case, then a line for each row. Numbers are written as in {@link Json}.
 */
public final class Csv {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

  private static final String CAVEATS = ",caveats";

  /** Separates caveats within a cell. */
  public static final String BETWEEN = " | ";

  private Csv() {}

  /**
   * Returns a table.
   *
   * @param header the names of the columns, separated by commas
   * @param rows the values of each row; an empty Optional becomes an empty cell
   */
  public static Answer table(String header, Stream<? extends List<?>> rows) {
    return new Table(header, rows.toList());
  }

  /**
   * Returns a table.
   *
   * @param header the names of the columns, separated by commas: field names in snake case
   * @param fields the fields of a row
   */
  public static <T> Answer table(String header, Fields<T> fields, Stream<? extends T> rows) {
    return table(header, rows.map(fields.row(header)));
  }

  /**
   * Returns a table with caveats in an additional last column.
   *
   * @param caveats the caveats of the document, as sentences; they follow those of the envelope
   */
  public static <T> Answer table(
      String header, List<String> caveats, Fields<T> fields, Stream<? extends T> rows) {
    return table(
        header + CAVEATS, fields.column("caveats", row -> String.join(BETWEEN, caveats)), rows);
  }

  /** A table; if there are caveats, they have a last column of their own. */
  private record Table(String header, List<? extends List<?>> rows) implements Answer {
    @Override
    public Answer render(Envelope envelope, String format, Consumer<String> messages) {
      List<String> around = envelope.caveats().stream().map(OptionWords::of).toList();
      if (around.isEmpty()) {
        return this;
      }
      String others = header.replace(CAVEATS, "");
      int own = others.split(",", -1).length;
      return table(
          others + CAVEATS,
          rows.stream()
              .map(
                  row ->
                      Stream.concat(
                              row.stream().limit(own),
                              Stream.of(
                                  Stream.concat(
                                          around.stream(), row.stream().skip(own).map(Csv::cell))
                                      .filter(caveat -> !caveat.isEmpty())
                                      .collect(Collectors.joining(BETWEEN))))
                          .toList()));
    }

    @Override
    public void writeTo(Appendable out) throws IOException {
      out.append(header).append('\n');
      CSVPrinter printer = new CSVPrinter(out, FORMAT);
      for (List<?> row : rows) {
        printer.printRecord(row.stream().map(Csv::cell));
      }
    }
  }

  /**
   * Joins the tables for the communicators of a split, which have the same columns, into one with
   * the communicator as first column.
   */
  static Answer split(List<Part> parts) {
    return table(
        "communicator," + ((Table) parts.get(0).answer()).header,
        parts.stream()
            .flatMap(
                part ->
                    ((Table) part.answer())
                        .rows.stream()
                            .map(
                                row ->
                                    Stream.concat(Stream.of(part.label()), row.stream())
                                        .toList())));
  }

  private static String cell(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(Csv::cell).orElse("");
    }
    if (value instanceof OptionalDouble optional) {
      return optional.isPresent() ? cell(optional.getAsDouble()) : "";
    }
    if (value instanceof Double number) {
      return PlainNumber.of(number.doubleValue()).toPlainString();
    }
    if (value instanceof Float number) {
      return PlainNumber.of(number.floatValue()).toPlainString();
    }
    return Json.text(value).orElseGet(() -> String.valueOf(value));
  }
}
