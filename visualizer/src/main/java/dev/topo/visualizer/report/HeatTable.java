package dev.topo.visualizer.report;

import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;

/** A matrix with coloured cells and a heading for each row and column. Built row by row. */
final class HeatTable {
  private final String caption;
  private final List<Element> head = new ArrayList<>();
  private final List<Element> rows = new ArrayList<>();

  /**
   * Creates a matrix without rows.
   *
   * @param corner the heading above the row headings
   */
  HeatTable(String caption, String corner, List<String> columns) {
    this.caption = caption;
    head.add(heading(corner, "col"));
    columns.forEach(column -> head.add(heading(column, "col")));
  }

  private static Element heading(String text, String scope) {
    return Element.of("th", text).with("scope", scope);
  }

  void row(String heading, List<Element> cells) {
    List<Element> row = new ArrayList<>(List.of(heading(heading, "row")));
    row.addAll(cells);
    rows.add(Element.of("tr", row));
  }

  /** Returns the matrix in a scrolling box. */
  Element element() {
    Element table =
        Element.of(
                "table",
                Element.of("caption", caption),
                Element.of("thead", Element.of("tr", head)),
                Element.of("tbody", rows))
            .as("heat");
    return DataTable.scrolling(table, caption).as("scroll matrix");
  }
}
