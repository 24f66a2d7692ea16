package dev.topo.visualizer.view;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.network.NetworkFile.PublishedOperations;
import dev.topo.simulator.network.NetworkKind;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;

/** The network calibrations that ship with topo, with their purpose and basis. */
public final class NetworkList {
  private static final Fields<NetworkKind> NETWORKS =
      Fields.of(NetworkKind.class)
          .field("name", NetworkKind::label)
          .field("use", NetworkKind::use)
          .field("chosenBy", NetworkKind::chosenBy)
          .field("origin", kind -> kind.constants().origin())
          .field("operations", NetworkList::operations)
          .field("mostNodes", kind -> PublishedOperations.mostNodes(kind.label()));

  private NetworkList() {}

  private static List<String> operations(NetworkKind kind) {
    return PublishedOperations.of(kind.label()).stream()
        .map(Operation::ncclTestsName)
        .sorted()
        .toList();
  }

  /** Returns the list as JSON. */
  public static Answer json() {
    return Json.document("networks", "networks", NETWORKS, List.of(NetworkKind.values()));
  }

  /** Returns the list as a table, with the basis of each calibration. */
  public static Answer text() {
    TextTable table =
        TextTable.atMargin()
            .header("network,for,chosen by ports")
            .rows(
                List.of(NetworkKind.values()),
                kind -> List.of(kind.label(), kind.use(), kind.chosenBy()));
    TextWriter out = new TextWriter().table(table).line("");
    for (NetworkKind kind : NetworkKind.values()) {
      out.paragraph(kind.label() + " rests on: " + kind.constants().origin(), "  ");
    }
    for (NetworkKind kind : NetworkKind.values()) {
      if (PublishedOperations.isKnown(kind.label())) {
        out.line(
            "%s: ranges for %s, up to %s nodes"
                .formatted(
                    kind.label(),
                    String.join(", ", operations(kind)),
                    PublishedOperations.mostNodes(kind.label())));
      }
    }
    out.line("your own: %s", Hint.OWN_NETWORK);
    return Answer.of(out);
  }
}
