package dev.topo.visualizer.view;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * An HTML table of data with a heading for each column, in a box that scrolls if the page is
 * narrower. A script can sort it: cells that do not sort by their text carry the sort key in {@code
 * data-sort}. Built row by row.
 */
public final class DataTable {
  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<Element> rows = new ArrayList<>();

  private record Column(String name, boolean isNumber, String hint) {}

  /** Creates a table without columns. */
  public DataTable(String caption) {
    this.caption = caption;
  }

  /** Returns a cell with a text and the number that it is sorted by. */
  public static Element number(String text, double order) {
    boolean isWhole = order == Math.rint(order) && Math.abs(order) < 1e15;
    return Element.of("td", text)
        .with(
            "data-sort", isWhole ? String.valueOf((long) order) : TextWriter.format("%.4g", order));
  }

  /** Returns a cell for a value that is unknown or does not exist. */
  public static Element none() {
    return number("–", 0);
  }

  public static Element time(double us) {
    return number(QuantityFormat.time(us), us);
  }

  public static Element time(OptionalDouble us) {
    return us.isPresent() ? time(us.getAsDouble()) : none();
  }

  public static Element size(long bytes) {
    return number(QuantityFormat.size(bytes), bytes);
  }

  public static Element bandwidth(double gbps) {
    return number(QuantityFormat.bandwidth(gbps), gbps);
  }

  /** Returns a cell with a number, rounded to the given number of decimals. */
  public static Element decimal(double number, int decimals) {
    return number(String.format(Locale.ROOT, "%." + decimals + "f", number), number);
  }

  /** Adds text columns. */
  public DataTable texts(String... names) {
    for (String name : names) {
      column(name, false, "");
    }
    return this;
  }

  /** Adds a numeric column. */
  public DataTable numbers(String... names) {
    for (String name : names) {
      column(name, true, "");
    }
    return this;
  }

  /** Adds a numeric column with a hint that explains it. */
  public DataTable hinted(String name, String hint) {
    return column(name, true, hint);
  }

  DataTable column(String name, boolean isNumber, String hint) {
    columns.add(new Column(name, isNumber, hint));
    return this;
  }

  /** Adds a row of cells: texts, integers, or cells from {@link #number}. */
  public void row(Object... cells) {
    rows.add(tableRow(cells));
  }

  /** Adds a row with attributes, in their order. */
  public void rowWith(Map<String, String> attributes, Object... cells) {
    rows.add(new Element("tr", attributes, tableRow(cells).content()));
  }

  private Element tableRow(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          cells.length + " cells for " + columns.size() + " columns of " + caption);
    }
    List<Element> row = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      Element cell = cell(cells[i]);
      row.add(columns.get(i).isNumber() ? cell.as("num") : cell);
    }
    return Element.of("tr", row);
  }

  private static Element cell(Object cell) {
    if (cell instanceof Element element) {
      return element;
    }
    return cell instanceof Number number
        ? number(String.valueOf(number), number.doubleValue())
        : Element.of("td", (String) cell);
  }

  /** Returns the table as an element. */
  public Element element() {
    List<Element> headings = new ArrayList<>();
    for (Column column : columns) {
      Element heading = Element.of("th", column.name()).with("scope", "col");
      heading = column.isNumber() ? heading.as("num") : heading;
      headings.add(column.hint().isEmpty() ? heading : heading.with("title", column.hint()));
    }
    return scrolling(
        Element.of(
                "table",
                Element.of("caption", caption),
                Element.of("thead", Element.of("tr", headings)),
                Element.of("tbody", rows))
            .as("data"),
        caption);
  }

  /** Returns a picture in a scrolling box, with its caption below. */
  public static Element figure(Element picture, String label, Element caption) {
    return Element.of("figure", scrolling(picture, label).as("scroll picture"), caption);
  }

  /** Returns a box that scrolls content wider than the page, also by keyboard. */
  public static Element scrolling(Element wide, String label) {
    return Element.of("div", wide)
        .as("scroll")
        .with("tabindex", "0")
        .with("role", "region")
        .with("aria-label", label);
  }
}
