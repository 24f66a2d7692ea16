package dev.topo.visualizer.structure;

import dev.topo.model.Labels;
import dev.topo.search.connect.Connection;

/** A part of a connection that the user can select. Each has a table of its own. */
public enum ConnectPart {
  /** The neighbours of each rank in rings and trees. */
  RINGS_TREES,
  /** The NVLS heads and the trees that join them across nodes. */
  NVLS,
  /** The CollNet chains and heads of in-network reduction. */
  COLLNET,
  /** The peers of sends and receives, round by round. */
  P2P,
  /** The network port and the relaying GPU (PXN) of transfers to other nodes. */
  NICS;

  /** The name of the part on the command line. */
  public String label() {
    return Labels.of(this);
  }

  /** True if the job has this part. */
  public boolean isIn(Connection connection) {
    return switch (this) {
      case RINGS_TREES -> true;
      case NVLS -> connection.nvls().isSupported();
      case COLLNET -> connection.collNet().isPresent();
      case P2P -> connection.nRanks() > 1;
      case NICS -> connection.nNodes() > 1 && connection.hasPorts();
    };
  }

  /** The number of channels of this part in a job. */
  public int channels(Connection connection) {
    return switch (this) {
      case RINGS_TREES, COLLNET -> connection.nChannels();
      case NVLS -> nvlsChannels(connection);
      case P2P, NICS -> connection.p2pChannels(0).nChannels();
    };
  }

  private static int nvlsChannels(Connection connection) {
    return connection
        .kindNodes()
        .map(node -> connection.nvls().channels(connection.ranksOf(node).get(0)))
        .max()
        .orElse(0);
  }
}
