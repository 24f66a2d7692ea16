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

/** Places charts on a page as figures. */
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
   * Returns a figure with several charts.
   *
   * @param id the prefix of all ids in the figure
   * @param label the alternative text
   */
  static Element of(List<Chart> charts, String id, String label, Element caption) {
    Markup svg = Markup.written(new ChartSheet(charts).inlineSvg(id, label));
    return DataTable.figure(Element.of("div", svg).as("chart"), label, caption);
  }

  /** Returns a figure with one chart whose label is also its caption. */
  static Element of(Chart chart, String id, String label) {
    return of(List.of(chart), id, label, Element.of("figcaption", Element.paragraph(label)));
  }

  /**
   * Returns a figure for each item, or a note if the host cannot paint charts.
   *
   * @param otherwise where the reader finds the same data; appended to the reason
   */
  static <T> Element each(List<T> items, String otherwise, Function<T, Element> figure) {
    return obstacle()
        .map(reason -> Element.paragraph("No charts: " + reason + "." + otherwise).as("note"))
        .orElseGet(() -> Element.of("div", items.stream().map(figure).toList()).as("charts"));
  }
}
