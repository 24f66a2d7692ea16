package dev.topo.search.explain;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.PortMatrix;
import dev.topo.search.connect.PortMatrix.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Explains which NIC each rank uses for sends to other nodes, and which GPU drives it. */
public final class NicExplainer {
  private static final String TOPIC = "NICs of sends to other nodes";

  private final Connection connection;
  private final NcclSettings settings;

  public NicExplainer(Connection connection, NcclSettings settings) {
    this.connection = connection;
    this.settings = connection.profile().complete(settings);
  }

  /** Explains the NICs of all ranks, with one sentence for all ranks that use the same NICs. */
  public Explanation explain() {
    if (connection.nNodes() == 1) {
      return new Explanation(TOPIC, List.of("The job is one node: no send takes a NIC."));
    }
    if (!connection.hasPorts()) {
      return new Explanation(
          TOPIC,
          List.of("A node has no network port: which NICs NCCL finds at run time is not known."));
    }
    P2pChannels channels = connection.p2pChannels(0);
    List<PortMatrix> matrices =
        PortMatrix.of(connection, IntStream.range(0, channels.nChannels()).boxed().toList());
    List<String> sentences = new ArrayList<>();
    sentences.add(rule(matrices));
    for (PortMatrix matrix : matrices) {
      sentences.add(
          "%s, %s of sends and receives:"
              .formatted(
                  QuantityFormat.ranges("Node", matrix.nodes()),
                  QuantityFormat.steps("channel", matrix.channels())));
      matrix
          .rowsBy((row, column) -> route(matrix, row, column))
          .forEach((routes, places) -> sentences.add("  " + row(matrix, routes, places)));
    }
    return new Explanation(TOPIC, sentences);
  }

  private String rule(List<PortMatrix> matrices) {
    boolean isRelayed =
        matrices.stream()
            .flatMap(matrix -> matrix.distinctRows().keySet().stream())
            .flatMap(List::stream)
            .anyMatch(cell -> !cell.relay().isEmpty());
    if (isRelayed) {
      return "A send leaves by the NIC of the GPU with the peer's number, if NVLink leads there (PXN);"
          + " NCCL_P2P_PXN_LEVEL=0 turns that off.";
    }
    if (!settings.pxn()) {
      return "NCCL_PXN_DISABLE=1: each GPU drives the NIC that it uses.";
    }
    return settings.integer("NCCL_P2P_PXN_LEVEL", 2) == 0
        ? "NCCL_P2P_PXN_LEVEL=0: each GPU uses its own NIC."
        : "Each GPU drives the NIC that it uses: no GPU near another NIC can relay (PXN).";
  }

  private static String route(PortMatrix matrix, int row, int column) {
    Cell cell = matrix.cell(row, column);
    String driver = cell.relay().isEmpty() ? "GPU " + matrix.gpus().get(row).dev() : cell.relay();
    return cell.port() + ", driven by " + driver;
  }

  private static String row(PortMatrix matrix, List<String> routes, List<Integer> places) {
    Map<String, List<Integer>> byRoute = Alike.by(routes.size(), routes::get);
    return "local %s: %s."
        .formatted(
            QuantityFormat.steps("rank", places),
            QuantityFormat.joined(
                "; ",
                byRoute.entrySet(),
                entry ->
                    QuantityFormat.ranges(
                            "to GPU", entry.getValue().stream().map(matrix.devices()::get).toList())
                        + " by "
                        + entry.getKey()));
  }
}
