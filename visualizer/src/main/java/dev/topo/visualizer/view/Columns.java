package dev.topo.visualizer.view;

import dev.topo.model.Last;
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
 * The columns of a table, each declared once: the text that people read in a table or on a page,
 * the fields of JSON and the cells of CSV. Immutable. {@link #column} adds a column; the calls that
 * follow configure it:
 *
 * <pre>{@code
 * Columns.of(Port.class)
 *     .column("port", Port::name).field("name", Port::name)
 *     .column("speed", Port::gbps).unit("Gb/s").field("rateGBps", port -> port.gbps() / 8)
 *     .column("driver", Port::driver).rank(Columns.VERBOSE).field("driver", Port::driver)
 *     .header("name,rate_gbps,driver");
 * }</pre>
 *
 * <p>A text has the columns up to a rank and states values that all rows share only once ({@link
 * CompactTable}). A page has all columns that are not empty. JSON has all fields in order, CSV
 * those that the header names.
 *
 * @param <T> the type of a row
 */
public final class Columns<T> {
  /** The rank of columns that are shown only in verbose texts. */
  public static final int VERBOSE = 2;

  /**
   * A column for people.
   *
   * @param text the text of a cell
   * @param order the value that a page sorts by, if it is a number; by default the first field
   * @param hint an explanation of the column, for a page
   * @param rank the priority; columns of the highest rank are dropped first
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

  /** Returns an empty set of columns. */
  public static <T> Columns<T> of(Class<T> row) {
    return new Columns<>(List.of(), Fields.of(row), "");
  }

  /**
   * Adds a column.
   *
   * @param title the heading for people
   * @param text the text of a cell; empty if there is nothing to say
   */
  public Columns<T> column(String title, Function<? super T, ?> text) {
    return and(columns, new Column<>(title, text, Optional.empty(), "", 0));
  }

  /**
   * Adds a column that is a field as well.
   *
   * @param value the value of the field, which is also the text of the cell
   */
  public Columns<T> column(String title, String field, Function<? super T, ?> value) {
    return column(title, value).field(field, value);
  }

  /**
   * Adds a column that is a field as well.
   *
   * @param text formats the value of the field for people
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

  /** Sets the unit of the last column, which is appended to each of its texts. */
  public Columns<T> unit(String unit) {
    return last(
        c -> new Column<>(c.title, c.text.andThen(n -> n + " " + unit), c.order, c.hint, c.rank));
  }

  /** Sets a hint that explains the last column on a page. */
  public Columns<T> hint(String hint) {
    return last(c -> new Column<>(c.title, c.text, c.order, hint, c.rank));
  }

  /**
   * Sets the rank of the last column, 0 by default; narrow texts drop the columns of the highest
   * rank first.
   */
  public Columns<T> rank(int rank) {
    return last(c -> new Column<>(c.title, c.text, c.order, c.hint, rank));
  }

  /**
   * Sets the value that a page sorts the last column by, if it is a number; by default its first
   * field.
   */
  public Columns<T> order(Function<? super T, ?> number) {
    return last(c -> new Column<>(c.title, c.text, Optional.of(number), c.hint, c.rank));
  }

  /** Adds a field of JSON and CSV with the value of the column or a part of it. */
  public Columns<T> field(String name, Function<? super T, ?> value) {
    boolean isFirst = !columns.isEmpty() && Last.of(columns).order.isEmpty();
    return (isFirst ? order(value) : this).with(fields.field(name, value));
  }

  /** Adds a text field that is null if the text is empty. */
  public Columns<T> text(String name, Function<? super T, String> value) {
    return with(fields.text(name, value));
  }

  /** Adds fields of JSON and CSV that people do not see. */
  public Columns<T> fields(UnaryOperator<Fields<T>> more) {
    return with(more.apply(fields));
  }

  private Columns<T> with(Fields<T> more) {
    return new Columns<>(columns, more, header);
  }

  /** Adds a CSV cell that JSON does not have, or has in another form. */
  public Columns<T> cell(String name, Function<? super T, ?> value) {
    return with(fields.column(name, value));
  }

  /** Sets the CSV header: the names of fields in snake case and of cells, separated by commas. */
  public Columns<T> header(String names) {
    return new Columns<>(columns, fields, names);
  }

  /** Returns these columns without those with the given titles; fields stay. */
  public Columns<T> without(String... titles) {
    return only(column -> !Set.of(titles).contains(column.title));
  }

  /** Returns these columns without those of a higher rank; fields stay. */
  public Columns<T> upTo(int rank) {
    return only(column -> column.rank <= rank);
  }

  private Columns<T> only(Predicate<Column<T>> wanted) {
    return new Columns<>(columns.stream().filter(wanted).toList(), fields, header);
  }

  /**
   * Returns a text table without rows.
   *
   * @param keys the number of leftmost columns that are always kept
   */
  public CompactTable table(int keys) {
    return new CompactTable(keys, columns.stream().map(Column::title).toList());
  }

  /** Returns a text table with rows. */
  public CompactTable table(int keys, Collection<? extends T> rows) {
    CompactTable table = table(keys);
    rows.forEach(row -> table.row(cells(row)));
    return table;
  }

  /** Returns a text table with all columns. */
  public TextTable shown(Collection<? extends T> rows) {
    return shown(TextTable.indented(), rows);
  }

  /** Fills an empty text table with all columns. */
  public TextTable shown(TextTable table, Collection<? extends T> rows) {
    return table
        .row(columns.stream().map(Column::title).toArray())
        .rows(rows, row -> List.of(cells(row)));
  }

  /** Returns the cells of a row of {@link #table}. */
  public Object[] cells(T row) {
    return columns.stream().map(column -> column.text.apply(row)).toArray();
  }

  /**
   * Returns the cells of a row that fills only some columns.
   *
   * @param texts the texts of the cells by column title
   */
  public Object[] cells(Map<String, ?> texts) {
    return columns.stream()
        .map(column -> texts.containsKey(column.title) ? texts.get(column.title) : "")
        .toArray();
  }

  /** Returns a table for a page, without empty columns. */
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

  /** Returns the fields of JSON. */
  public Fields<T> fields() {
    return fields;
  }

  /**
   * Returns the CSV table with a last column for caveats.
   *
   * @param caveats the caveats of the document, as sentences
   */
  public Answer csv(List<String> caveats, Stream<? extends T> rows) {
    return Csv.table(header, caveats, fields, rows);
  }

  /** Returns the CSV table. */
  public Answer csv(Stream<? extends T> rows) {
    return Csv.table(header, fields, rows);
  }
}
