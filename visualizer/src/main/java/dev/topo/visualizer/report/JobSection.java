package dev.topo.visualizer.report;

import dev.topo.search.connect.Connection;
import dev.topo.visualizer.drawing.JobFlow;
import dev.topo.visualizer.drawing.JobFlow.Shape;
import dev.topo.visualizer.drawing.JobFlowFinder;
import dev.topo.visualizer.drawing.JobLayout;
import dev.topo.visualizer.drawing.SteppedDrawing;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;

/** The section with the rings, trees and NVLS trees between the nodes of a job. */
final class JobSection {
  /** Jobs with more nodes are not drawn, because the boxes would be too small. */
  private static final int MAX_NODES = 64;

  private JobSection() {}

  static Element of(ReportSubject subject) {
    Connection connection = subject.communicator().connection();
    Element section = Element.section("nodes", "Between nodes");
    if (connection.nNodes() > MAX_NODES) {
      String note =
          " nodes are too many for a drawing here: topo connect lists their rings and trees.";
      return section.add(Element.paragraph(connection.nNodes() + note).as("note"));
    }
    JobFlowFinder finder = new JobFlowFinder(connection);
    List<JobFlow> flows = new ArrayList<>(finder.all(Shape.RING));
    flows.addAll(finder.all(Shape.TREE));
    if (connection.nvls().isSupported()) {
      flows.addAll(finder.all(Shape.NVLS));
    }
    SteppedDrawing drawing =
        new SteppedDrawing(JobLayout.draw(subject.title(), finder.summary(), flows), List.of());
    String caption =
        "Which nodes send to each other; channels between the same nodes are drawn once.";
    return section.add(
        DataTable.figure(
            MachineSection.picture(drawing, subject.id("job")),
            "Drawing of rings and trees between nodes",
            Element.of("figcaption", Element.paragraph(caption))));
  }
}
