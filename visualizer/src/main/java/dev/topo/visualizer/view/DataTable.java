package dev.topo.visualizer.view;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

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

  /** A table without columns yet. */
  public DataTable(String caption) {
    this.caption = caption;
  }

  /** A cell with a text and the number that it is sorted by. */
  public static Element number(String text, double order) {
    boolean isWhole = order == Math.rint(order) && Math.abs(order) < 1e15;
    return Element.of("td", text)
        .with(
            "data-sort", isWhole ? String.valueOf((long) order) : TextWriter.format("%.4g", order));
  }

  /** A cell of something that is not known or does not exist. */
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

  /** A number in some decimals. */
  public static Element decimal(double number, int decimals) {
    return number(String.format(Locale.ROOT, "%." + decimals + "f", number), number);
  }

  /** Adds columns of texts. */
  public DataTable texts(String... names) {
    for (String name : names) {
      column(name, false, "");
    }
    return this;
  }

  /** Adds a column of numbers. */
  public DataTable numbers(String name) {
    return column(name, true, "");
  }

  /** Adds a column of numbers with a remark on what they are. */
  public DataTable numbers(String name, String hint) {
    return column(name, true, hint);
  }

  DataTable column(String name, boolean isNumber, String hint) {
    columns.add(new Column(name, isNumber, hint));
    return this;
  }

  /** Adds a row of cells: texts, whole numbers, or what {@link #number} makes. */
  public void row(Object... cells) {
    rows.add(tableRow(cells));
  }

  /** Adds a row that has attributes, in their order. */
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
    return cell instanceof Integer number
        ? number(String.valueOf(number), number)
        : Element.of("td", (String) cell);
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

  /** A picture in a box that scrolls, with its caption below. */
  public static Element figure(Element picture, String label, Element caption) {
    return Element.of("figure", scrolling(picture, label).as("scroll picture"), caption);
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
