package dev.topo.visualizer.view;

import dev.topo.model.io.TextTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The columns of a table, each declared once: what people read in a text and on a page, the fields
 * of JSON and the cells of CSV. Immutable. {@link #column} begins a column; what follows belongs to
 * it:
 *
 * <pre>{@code
 * Columns.of(Port.class)
 *     .column("port", Port::name).field("name", Port::name)
 *     .column("speed", Port::gbps).unit("Gb/s").field("rateGBps", port -> port.gbps() / 8)
 *     .column("driver", Port::driver).rank(Columns.VERBOSE).field("driver", Port::driver)
 *     .header("name,rate_gbps,driver");
 * }</pre>
 *
 * <p>A text has the columns up to a rank, but what is the same in all rows only once ({@link
 * CompactTable}). A page has all columns that are not empty. JSON has all fields in their order,
 * CSV those that the header names.
 *
 * @param <T> a row
 */
public final class Columns<T> {
  /** The rank of columns that a text on one screen does not have. */
  public static final int VERBOSE = 2;

  /**
   * A column for people.
   *
   * @param text the content of a cell
   * @param order what a page sorts by where it is a number: the first field
   * @param hint more about the column, for a page
   * @param rank columns of the highest rank are dropped first
   */
  private record Column<T>(
      String title,
      Function<? super T, ?> text,
      Optional<Function<? super T, ?>> order,
      String hint,
      int rank) {
    boolean isEmpty(T row) {
      return text.apply(row).equals("");
    }

    OptionalDouble number(T row) {
      Object value = order.<Object>map(field -> field.apply(row)).orElse(Optional.empty());
      return value instanceof Number number
          ? OptionalDouble.of(number.doubleValue())
          : value instanceof OptionalDouble number ? number : OptionalDouble.empty();
    }

    Element cell(T row) {
      String shown = String.valueOf(text.apply(row));
      OptionalDouble number = number(row);
      return number.isPresent()
          ? DataTable.number(shown, number.getAsDouble())
          : Element.of("td", shown);
    }
  }

  private final List<Column<T>> columns;
  private final Fields<T> fields;
  private final String header;

  private Columns(List<Column<T>> columns, Fields<T> fields, String header) {
    this.columns = List.copyOf(columns);
    this.fields = fields;
    this.header = header;
  }

  /** No columns yet. */
  public static <T> Columns<T> of(Class<T> row) {
    return new Columns<>(List.of(), Fields.of(row), "");
  }

  /**
   * One more column.
   *
   * @param title its heading for people
   * @param text the content of a cell for people; empty where there is nothing to say
   */
  public Columns<T> column(String title, Function<? super T, ?> text) {
    return and(columns, new Column<>(title, text, Optional.empty(), "", 0));
  }

  /**
   * One more column that is a field.
   *
   * @param value the field, which people see as it is
   */
  public Columns<T> column(String title, String field, Function<? super T, ?> value) {
    return column(title, value).field(field, value);
  }

  /**
   * One more column that is a field.
   *
   * @param text makes the content of a cell for people of the field
   */
  public <V> Columns<T> column(
      String title, String field, Function<? super T, V> value, Function<? super V, ?> text) {
    return column(title, value.andThen(text)).field(field, value);
  }

  private Columns<T> and(List<Column<T>> before, Column<T> column) {
    List<Column<T>> more = new ArrayList<>(before);
    more.add(column);
    return new Columns<>(more, fields, header);
  }

  private Columns<T> last(Function<Column<T>, Column<T>> change) {
    int last = columns.size() - 1;
    return and(columns.subList(0, last), change.apply(columns.get(last)));
  }

  /** The unit of the column, behind each of its texts. */
  public Columns<T> unit(String unit) {
    return last(
        c -> new Column<>(c.title, c.text.andThen(n -> n + " " + unit), c.order, c.hint, c.rank));
  }

  /** What the heading of the column does not say, for a page. */
  public Columns<T> hint(String hint) {
    return last(c -> new Column<>(c.title, c.text, c.order, hint, c.rank));
  }

  /** The rank of the column, 0 unless stated: what is narrow drops those of the highest first. */
  public Columns<T> rank(int rank) {
    return last(c -> new Column<>(c.title, c.text, c.order, c.hint, rank));
  }

  /** What a page sorts the column by where it is a number; else its first field. */
  public Columns<T> order(Function<? super T, ?> number) {
    return last(c -> new Column<>(c.title, c.text, Optional.of(number), c.hint, c.rank));
  }

  /** A field of JSON and CSV that has the value of the column, or a part of it. */
  public Columns<T> field(String name, Function<? super T, ?> value) {
    boolean isFirst = !columns.isEmpty() && columns.get(columns.size() - 1).order.isEmpty();
    return (isFirst ? order(value) : this).with(fields.field(name, value));
  }

  /** A field that is a text, which is not known where it is empty. */
  public Columns<T> text(String name, Function<? super T, String> value) {
    return with(fields.text(name, value));
  }

  /** Fields of JSON and CSV that people do not see. */
  public Columns<T> fields(UnaryOperator<Fields<T>> more) {
    return with(more.apply(fields));
  }

  private Columns<T> with(Fields<T> more) {
    return new Columns<>(columns, more, header);
  }

  /** A cell of CSV that no object of JSON has, or has otherwise. */
  public Columns<T> cell(String name, Function<? super T, ?> value) {
    return with(fields.column(name, value));
  }

  /** The columns of CSV in their order, with commas between: fields in snake case, and cells. */
  public Columns<T> header(String names) {
    return new Columns<>(columns, fields, names);
  }

  /** These columns without some for people. */
  public Columns<T> without(String... titles) {
    return only(column -> !Set.of(titles).contains(column.title));
  }

  /** These columns without those of a higher rank for people. */
  public Columns<T> upTo(int rank) {
    return only(column -> column.rank <= rank);
  }

  private Columns<T> only(Predicate<Column<T>> wanted) {
    return new Columns<>(columns.stream().filter(wanted).toList(), fields, header);
  }

  /**
   * A table of a text, without rows yet.
   *
   * @param keys columns from the left that always stay
   */
  public CompactTable table(int keys) {
    return new CompactTable(keys, columns.stream().map(Column::title).toList());
  }

  /** The table with rows. */
  public CompactTable table(int keys, Collection<? extends T> rows) {
    CompactTable table = table(keys);
    rows.forEach(row -> table.row(cells(row)));
    return table;
  }

  /** A table of a text with all columns. */
  public TextTable shown(Collection<? extends T> rows) {
    return shown(TextTable.indented(), rows);
  }

  /** The same in an empty table. */
  public TextTable shown(TextTable table, Collection<? extends T> rows) {
    return table
        .row(columns.stream().map(Column::title).toArray())
        .rows(rows, row -> List.of(cells(row)));
  }

  /** The cells of a row of {@link #table}. */
  public Object[] cells(T row) {
    return columns.stream().map(column -> column.text.apply(row)).toArray();
  }

  /**
   * The cells of a row that has some columns only.
   *
   * @param texts their contents, by the titles of the columns
   */
  public Object[] cells(Map<String, ?> texts) {
    return columns.stream()
        .map(column -> texts.containsKey(column.title) ? texts.get(column.title) : "")
        .toArray();
  }

  /** A table of a page. */
  public Element page(String caption, Collection<? extends T> rows) {
    List<Column<T>> shown =
        columns.stream().filter(column -> !rows.stream().allMatch(column::isEmpty)).toList();
    DataTable table = new DataTable(caption);
    for (Column<T> column : shown) {
      boolean isNumber = rows.stream().anyMatch(row -> column.number(row).isPresent());
      table.column(column.title, isNumber, column.hint);
    }
    rows.forEach(row -> table.row(shown.stream().map(column -> column.cell(row)).toArray()));
    return table.element();
  }

  /** The fields of JSON. */
  public Fields<T> fields() {
    return fields;
  }

  /**
   * The table of CSV with a last column for caveats.
   *
   * @param caveats sentences of the document
   */
  public Answer csv(List<String> caveats, Stream<? extends T> rows) {
    return Csv.table(header, caveats, fields, rows);
  }

  /** The table of CSV. */
  public Answer csv(Stream<? extends T> rows) {
    return Csv.table(header, fields, rows);
  }
}
