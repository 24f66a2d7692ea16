package dev.topo.visualizer.report;

import dev.topo.model.QuantityFormat;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.PortMatrix;
import dev.topo.search.connect.PortMatrix.Cell;
import dev.topo.search.explain.CollNetAbsence;
import dev.topo.search.explain.NvlsAbsence;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The section on traffic between nodes besides rings and trees: the heads of NVLS and of in-network
 * reduction, and a matrix of the NICs for sends to other nodes.
 */
final class PeersSection {
  private final Connection connection;
  private final NcclSettings settings;

  private PeersSection(ReportSubject subject) {
    this.connection = subject.communicator().connection();
    this.settings = subject.communicator().job().settings();
  }

  static Element of(ReportSubject subject, List<ReportPart> parts) {
    PeersSection peers = new PeersSection(subject);
    Element section =
        Element.section("peers", "NVLS, CollNet and peers", Element.paragraph(peers.facts()));
    if (peers.connection.nvls().isSupported() || peers.connection.collNet().isPresent()) {
      section = section.add(peers.heads(parts));
    }
    for (PortMatrix matrix : peers.matrices()) {
      section = section.add(matrix(matrix));
    }
    return peers.connection.hasPorts() ? section.add(legend()) : section;
  }

  private String facts() {
    P2pChannels p2p = connection.p2pChannels(0);
    return "%s %s Sends and receives use %s, %s for each peer; ranks take turns in groups of %s."
        .formatted(
            connection.nvls().isSupported()
                ? "NVLS on %s channels with %s on a node."
                    .formatted(
                        connection.nvls().channels(),
                        QuantityFormat.count(connection.nvls().nHeads(), "head"))
                : "No NVLS: " + NvlsAbsence.reason(connection, settings) + ".",
            collNet(),
            QuantityFormat.count(p2p.nChannels(), "channel"),
            p2p.nChannelsPerPeer(),
            connection.p2pSchedule().groupSize());
  }

  private String collNet() {
    if (connection.collNet().isEmpty()) {
      return "No CollNet: " + CollNetAbsence.reason(connection, settings) + ".";
    }
    return connection.collNet().flatMap(net -> net.direct(0)).isPresent()
        ? "CollNet with chains and direct heads."
        : "CollNet with chains; no direct heads: " + CollNetAbsence.noHeads(connection) + ".";
  }

  private Element heads(List<ReportPart> parts) {
    DataTable table =
        new DataTable("Heads, the ranks that send for their node")
            .texts("nodes", "NVLS", "CollNetDirect", "CollNet chains");
    for (ReportPart part : parts) {
      int node = part.nodes().get(0);
      table.row(
          part.nodeRange() + (part.nodes().size() == 1 ? "" : ", ranks of node " + node),
          connection.nvls().isSupported() ? ranks(connection.nvls().heads(node)) : "–",
          connection
              .collNet()
              .filter(net -> net.direct(0).isPresent())
              .map(net -> ranks(net.heads(node)))
              .orElse("–"),
          connection.collNet().map((CollNet net) -> ranks(net.chainHeads(node))).orElse("–"));
    }
    return table.element();
  }

  private static String ranks(List<Integer> ranks) {
    return QuantityFormat.steps(ranks.stream().sorted().toList());
  }

  private List<PortMatrix> matrices() {
    if (!connection.hasPorts()) {
      return List.of();
    }
    int channels = connection.p2pChannels(0).nChannels();
    return PortMatrix.of(connection, IntStream.range(0, channels).boxed().toList());
  }

  private static Element matrix(PortMatrix matrix) {
    String caption =
        "NIC of a send to another node, by the number of the peer's GPU on its host: %s, %s"
            .formatted(
                QuantityFormat.ranges("node", matrix.nodes()),
                QuantityFormat.steps("channel", matrix.channels()));
    HeatTable table =
        new HeatTable(
            caption,
            "local rank \\ peer",
            matrix.devices().stream().map(device -> "GPU " + device).toList());
    matrix
        .distinctRows()
        .forEach(
            (cells, places) ->
                table.row(
                    QuantityFormat.steps(places), cells.stream().map(PeersSection::cell).toList()));
    return table.element();
  }

  private static Element cell(Cell cell) {
    Element port = Element.of("td", Element.of("b", cell.port()));
    return cell.relay().isEmpty()
        ? port.as("p-PIX")
        : port.add(Element.of("span", "via " + cell.relay())).as("p-PXN");
  }

  private static Element legend() {
    return Element.of(
            "ul",
            Element.of(
                "li",
                Element.of("b", "NIC").as("p-PIX"),
                Markup.text(" driven by the sender itself")),
            Element.of(
                "li",
                Element.of("b", "NIC").as("p-PXN"),
                Markup.text(" driven by another GPU, which relays the data (PXN)")))
        .as("legend");
  }
}
