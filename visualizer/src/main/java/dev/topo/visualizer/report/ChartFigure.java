package dev.topo.visualizer.report;

import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.NoFontException;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A sheet of charts as a figure of a page. */
final class ChartFigure {
  private ChartFigure() {}

  /** The reason why the host cannot paint charts; empty if it can. */
  static Optional<String> obstacle() {
    try {
      NoFontException.check();
      return Optional.empty();
    } catch (NoFontException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /**
   * The figure.
   *
   * @param id prefix of the ids in it
   * @param label its alternative text
   */
  static Element of(List<Chart> charts, String id, String label, Element caption) {
    Markup svg = Markup.written(new ChartSheet(charts).inlineSvg(id, label));
    return DataTable.figure(Element.of("div", svg).as("chart"), label, caption);
  }

  /** The figure of a chart whose label is also its caption. */
  static Element of(Chart chart, String id, String label) {
    return of(List.of(chart), id, label, Element.of("figcaption", Element.paragraph(label)));
  }

  /**
   * A figure for each item, or a note if the host cannot paint charts.
   *
   * @param otherwise the place of the same data, appended to the reason
   */
  static <T> Element each(List<T> items, String otherwise, Function<T, Element> figure) {
    return obstacle()
        .map(reason -> Element.paragraph("No charts: " + reason + "." + otherwise).as("note"))
        .orElseGet(() -> Element.of("div", items.stream().map(figure).toList()).as("charts"));
  }
}
