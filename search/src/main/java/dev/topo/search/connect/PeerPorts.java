package dev.topo.search.connect;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import java.util.HashMap;
import java.util.Map;

/**
 * The ports by which ranks send to ranks of other nodes. Of the peer only the device number counts,
 * and equal nodes have equal ports: each is found once and then remembered. For one thread.
 */
public final class PeerPorts {
  private final JobNodes nodes;
  private final NcclSettings settings;
  private final Map<Place, PeerPort> found = new HashMap<>();

  /** The rank that was asked about last, and its place: one asks about many peers of a rank. */
  private int lastRank = -1;

  private int lastKind;
  private int lastGpu;

  /**
   * The values that determine a port.
   *
   * @param kind number of the kind of node
   * @param gpu place of the GPU on the node
   * @param dev device number of the peer
   */
  private record Place(int kind, int gpu, int dev, int channel) {}

  PeerPorts(JobNodes nodes, NcclSettings settings) {
    this.nodes = nodes;
    this.settings = settings;
  }

  /** The device number of a rank on its host. */
  public int device(int rank) {
    return nodes.kind(nodes.nodeOf(rank)).gpu(nodes.toMachine(rank)).dev();
  }

  /**
   * The port for a transfer, and the rank that drives it.
   *
   * @param dev the device number of the peer
   * @param channel the channel of the transfer
   */
  public PeerPort port(int rank, int dev, int channel) {
    int node = nodes.nodeOf(rank);
    Domain domain = nodes.kind(node).domain();
    if (rank != lastRank) {
      NodeTemplate kind = nodes.kind(node);
      lastKind = nodes.kinds().indexOf(kind);
      lastGpu = kind.place(nodes.toMachine(rank));
      lastRank = rank;
    }
    Place place = new Place(lastKind, lastGpu, dev, channel);
    PeerPort known = found.get(place);
    PeerPort local =
        known == null ? PeerPort.ofComplete(domain, lastGpu, dev, channel, settings) : known;
    if (known == null) {
      found.put(place, local);
    }
    return new PeerPort(local.port(), nodes.toJob(node, local.relay()));
  }
}
