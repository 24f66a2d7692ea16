package dev.topo.visualizer.drawing;

import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.PortMatrix;
import dev.topo.search.connect.PortMatrix.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The picture of the ports through which ranks send to other nodes: a row for ranks that use the
 * same ports, a column for each device number of the peer.
 */
public final class PortLayout {
  private static final double GAP = 4;
  private static final double PADDING = 6;
  private static final double ROW_HEIGHT = 34;
  private static final double PANEL_GAP = 26;
  private static final double TEXT = 11;

  private final Canvas canvas = new Canvas();
  private double top;

  private PortLayout() {}

  /**
   * Draws the matrices of a job one below the other.
   *
   * @param name the name of the job
   * @param summary a description of the job
   */
  public static Drawing draw(String name, String summary, List<PortMatrix> matrices) {
    PortLayout layout = new PortLayout();
    matrices.forEach(layout::panel);
    return layout.canvas.finish(
        name,
        List.of(
            summary, "NIC of a send to another node, by the number of the peer's GPU on its host"),
        legend ->
            legend.note(
                "Pink: the sender drives the NIC itself. Green: the GPU named below the NIC relays the data (PXN), which goes to it by"
                    + " NVLink first."));
  }

  private void panel(PortMatrix matrix) {
    Map<List<Cell>, List<Integer>> rows = matrix.distinctRows();
    String title =
        "%s, %s of sends and receives"
            .formatted(
                QuantityFormat.ranges("node", matrix.nodes()),
                QuantityFormat.steps("channel", matrix.channels()));
    top = canvas.add(TextLine.bold(title, 12), 0, top) + 2 * GAP;
    List<TextLine> heads = new ArrayList<>();
    rows.values()
        .forEach(
            places -> heads.add(TextLine.bold(QuantityFormat.steps("local rank", places), TEXT)));
    double left = TextBlock.widest(heads) + 2 * PADDING;
    List<TextLine> columns =
        matrix.devices().stream().map(dev -> TextLine.bold("to GPU " + dev, TEXT)).toList();
    double width = TextBlock.widest(columns);
    for (List<Cell> cells : rows.keySet()) {
      for (Cell cell : cells) {
        width = Math.max(width, TextBlock.widest(texts(cell)));
      }
    }
    width += 2 * PADDING;
    for (int column = 0; column < columns.size(); column++) {
      double middle = left + column * (width + GAP) + width / 2;
      canvas.add(Caption.centered(columns.get(column), middle, top));
    }
    top += columns.get(0).height() + GAP;
    int row = 0;
    for (List<Cell> cells : rows.keySet()) {
      TextLine head = heads.get(row++);
      canvas.add(head, 0, top + (ROW_HEIGHT - head.height()) / 2);
      for (int column = 0; column < cells.size(); column++) {
        cell(cells.get(column), head, columns.get(column), left + column * (width + GAP), width);
      }
      top += ROW_HEIGHT + GAP;
    }
    top += PANEL_GAP - GAP;
  }

  private static List<TextLine> texts(Cell cell) {
    TextLine port = TextLine.plain(cell.port(), TEXT);
    return cell.relay().isEmpty()
        ? List.of(port)
        : List.of(port, TextLine.plain("via " + cell.relay(), TEXT - 2));
  }

  private void cell(Cell cell, TextLine from, TextLine to, double x, double width) {
    String hint = from.text() + " " + to.text() + ": " + cell.port();
    canvas.add(
        new Box(
            cell.relay().isEmpty() ? BoxKind.NIC : BoxKind.NVS,
            new Area(x, top, width, ROW_HEIGHT),
            texts(cell),
            cell.relay().isEmpty() ? hint : hint + ", relayed by " + cell.relay()));
  }
}
