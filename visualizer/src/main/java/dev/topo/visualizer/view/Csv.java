package dev.topo.visualizer.view;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.io.PlainNumber;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
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
 * Writes results as comma-separated values (RFC 4180, but lines end in a line feed): one line of
 * names, in snake case, then a line for each row. Numbers are written as in {@link Json}.
 */
public final class Csv {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

  private Csv() {}

  /**
   * A table.
   *
   * @param header names of the columns, with commas between
   * @param rows the values of each row; an empty Optional is an empty cell
   */
  public static Answer table(String header, Stream<? extends List<?>> rows) {
    return new Table(header, rows.toList(), List.of());
  }

  /**
   * A table.
   *
   * @param header names of the columns, with commas between: those of fields, in snake case
   * @param fields those of a row
   */
  public static <T> Answer table(String header, Fields<T> fields, Stream<? extends T> rows) {
    return table(header, rows.map(fields.row(header)));
  }

  /** A table; with caveats it has a last column for them. */
  private record Table(String header, List<? extends List<?>> rows, List<Caveat> caveats)
      implements Answer {
    @Override
    public Answer render(Envelope envelope, String format, Consumer<String> messages) {
      return new Table(header, rows, envelope.caveats());
    }

    @Override
    public void writeTo(Appendable out) throws IOException {
      out.append(header).append(caveats.isEmpty() ? "" : ",caveats").append('\n');
      CSVPrinter printer = new CSVPrinter(out, FORMAT);
      for (List<?> row : rows) {
        Stream<String> cells = row.stream().map(Csv::cell);
        printer.printRecord(
            caveats.isEmpty()
                ? cells
                : Stream.concat(
                    cells,
                    Stream.of(
                        caveats.stream().map(OptionWords::of).collect(Collectors.joining(" | ")))));
      }
    }
  }

  /**
   * Tables of the same columns, which belong to the communicators of a split, as one with the
   * communicator first.
   */
  static Answer split(List<SplitAnswer.Part> parts) {
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
    if (value instanceof Operation operation) {
      return operation.ncclTestsName();
    }
    if (value instanceof Algorithm algorithm) {
      return algorithm.label();
    }
    if (value instanceof Protocol protocol) {
      return protocol.label();
    }
    if (value instanceof Double number) {
      return PlainNumber.of(number.doubleValue()).toPlainString();
    }
    if (value instanceof Float number) {
      return PlainNumber.of(number.floatValue()).toPlainString();
    }
    return String.valueOf(value);
  }
}
