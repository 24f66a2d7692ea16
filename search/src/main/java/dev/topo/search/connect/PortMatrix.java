package dev.topo.search.connect;

import dev.topo.model.Alike;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.search.connect.P2pChannels.PeerPorts;
import dev.topo.search.path.Domain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * The ports by which the ranks of equal nodes send to ranks of other nodes. They depend on the peer
 * only by its device number.
 *
 * @param nodes the equal nodes
 * @param channels the channels to which the matrix applies
 * @param ranks the rows: the ranks of the first of the nodes
 * @param gpus the GPUs of these ranks
 * @param devices the columns: device numbers of peers, ascending
 * @param ports one row per rank with one port per device
 */
public record PortMatrix(
    List<Integer> nodes,
    List<Integer> channels,
    List<Integer> ranks,
    List<GpuNode> gpus,
    List<Integer> devices,
    List<List<PeerPort>> ports) {
  public PortMatrix {
    nodes = List.copyOf(nodes);
    channels = List.copyOf(channels);
    ranks = List.copyOf(ranks);
    gpus = List.copyOf(gpus);
    devices = List.copyOf(devices);
    ports = ports.stream().map(List::copyOf).toList();
  }

  /**
   * The matrices of a job of several nodes. Equal nodes, and channels with equal ports, share a
   * matrix.
   */
  public static List<PortMatrix> of(Connection connection, List<Integer> channels) {
    Map<Domain, List<Integer>> alike = Alike.by(connection.nNodes(), connection::domain);
    PeerPorts ports = connection.peerPorts();
    List<PortMatrix> matrices = new ArrayList<>();
    alike.forEach(
        (domain, nodes) -> {
          List<Integer> devices = peerDevices(domain, alike);
          List<Integer> ranks = connection.ranksOf(nodes.get(0));
          List<GpuNode> gpus = domain.topology().gpusByRank();
          Alike.by(
                  channels,
                  channel ->
                      ranks.stream()
                          .map(
                              rank ->
                                  devices.stream()
                                      .map(device -> ports.port(rank, device, channel))
                                      .toList())
                          .toList())
              .forEach(
                  (rows, channelsWithPorts) ->
                      matrices.add(
                          new PortMatrix(nodes, channelsWithPorts, ranks, gpus, devices, rows)));
        });
    return matrices;
  }

  /** The device numbers of the GPUs on all nodes but one with the given domain. */
  private static List<Integer> peerDevices(Domain domain, Map<Domain, List<Integer>> alike) {
    return alike.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(domain) || entry.getValue().size() > 1)
        .flatMap(entry -> entry.getKey().topology().gpus().stream())
        .map(GpuNode::dev)
        .distinct()
        .sorted()
        .toList();
  }

  /** True if a transfer goes through another GPU of the node (PXN). */
  boolean isRelayed(int row, int column) {
    return ports.get(row).get(column).relay() != ranks.get(row);
  }

  /**
   * The text of a cell. Devices are numbered per host, so that equal hosts of an NVLink domain have
   * equal cells.
   */
  public Cell cell(int row, int column) {
    PeerPort peerPort = ports.get(row).get(column);
    GpuNode gpu = gpus.get(row);
    GpuNode relay = gpus.get(ranks.indexOf(peerPort.relay()));
    NetNode port = peerPort.port();
    String name = port.name().isEmpty() ? "NET " + port.dev() : port.name();
    long host = gpu.systemId();
    return new Cell(
        port.systemId() == host ? name : name + " of host " + port.systemId(),
        !isRelayed(row, column)
            ? ""
            : relay.systemId() == host
                ? "GPU " + relay.dev()
                : "GPU " + relay.dev() + " of host " + relay.systemId());
  }

  /**
   * The text of a cell.
   *
   * @param port name of the port; without a name, {@code NET} and its number
   * @param relay the GPU that drives the port; empty if it is the sender itself
   */
  public record Cell(String port, String relay) {}

  /** The indexes of the rows, grouped by their cells. */
  public Map<List<Cell>, List<Integer>> distinctRows() {
    return rowsBy(this::cell);
  }

  /**
   * The indexes of the rows, grouped by the values of {@code common} for their cells.
   *
   * @param common maps the row and column of a cell to the value that is compared
   */
  public <C> Map<List<C>, List<Integer>> rowsBy(BiFunction<Integer, Integer, C> common) {
    return Alike.by(
        ranks.size(),
        row ->
            IntStream.range(0, devices.size())
                .mapToObj(column -> common.apply(row, column))
                .toList());
  }
}
