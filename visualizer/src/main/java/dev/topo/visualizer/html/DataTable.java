package dev.topo.visualizer.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A table of data with a heading for each column, in a box of its own that scrolls where the page
 * is narrower. A script can sort it: cells whose text is not their order say what is ({@code
 * data-sort}). Built row by row.
 */
public final class DataTable {
  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<Element> rows = new ArrayList<>();

  private record Column(String name, boolean isNumber, String hint) {}

  /** The content of a cell. */
  public sealed interface Cell permits Plain, Ordered {}

  private record Plain(String text) implements Cell {}

  private record Ordered(String text, double order) implements Cell {}

  /** A table without columns yet. */
  public DataTable(String caption) {
    this.caption = caption;
  }

  /** A text, sorted as such. */
  public static Cell text(String text) {
    return new Plain(text);
  }

  /** A text with the number that it is sorted by. */
  public static Cell number(String text, double order) {
    return new Ordered(text, order);
  }

  /** A whole number. */
  public static Cell number(long number) {
    return new Ordered(String.valueOf(number), number);
  }

  /** Adds a column of texts. */
  public DataTable texts(String name) {
    columns.add(new Column(name, false, ""));
    return this;
  }

  /** Adds a column of numbers. */
  public DataTable numbers(String name) {
    columns.add(new Column(name, true, ""));
    return this;
  }

  /** Adds a column of numbers with a remark on what they are. */
  public DataTable numbers(String name, String hint) {
    columns.add(new Column(name, true, hint));
    return this;
  }

  /** Adds a row. */
  public void row(Cell... cells) {
    rows.add(tableRow(cells));
  }

  /** Adds a row that has attributes, in their order. */
  public void row(Map<String, String> attributes, Cell... cells) {
    rows.add(new Element("tr", attributes, tableRow(cells).content()));
  }

  private Element tableRow(Cell... cells) {
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

  private static Element cell(Cell cell) {
    if (cell instanceof Ordered ordered) {
      return Element.of("td", ordered.text()).with("data-sort", order(ordered.order()));
    }
    return Element.of("td", ((Plain) cell).text());
  }

  private static String order(double order) {
    return order == Math.rint(order) && Math.abs(order) < 1e15
        ? String.valueOf((long) order)
        : String.format(Locale.ROOT, "%.4g", order);
  }

  /** The table. */
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

  /** A box that scrolls what is wider than the page, also by keyboard. */
  public static Element scrolling(Element wide, String label) {
    return Element.of("div", wide)
        .as("scroll")
        .with("tabindex", "0")
        .with("role", "region")
        .with("aria-label", label);
  }
}
