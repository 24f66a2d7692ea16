package dev.topo.visualizer.structure;

import dev.topo.search.connect.Connection;

/** A part of a connection that a user can select; one table each. */
public enum ConnectPart {
  /** Neighbours in rings and trees. */
  RINGS_TREES("rings-trees"),
  /** Heads of NVLS and their trees between nodes. */
  NVLS("nvls"),
  /** Chains and heads of in-network reduction. */
  COLLNET("collnet"),
  /** Peers of sends and receives by round. */
  P2P("p2p"),
  /** Port and relay of transfers to other nodes. */
  NICS("nics");

  private final String label;

  ConnectPart(String label) {
    this.label = label;
  }

  /** Its name for users. */
  public String label() {
    return label;
  }

  /** True if a job has it. */
  public boolean isIn(Connection connection) {
    return switch (this) {
      case RINGS_TREES -> true;
      case NVLS -> connection.nvls().isSupported();
      case COLLNET -> connection.collNet().isPresent();
      case P2P -> connection.nRanks() > 1;
      case NICS -> connection.nNodes() > 1 && connection.hasPorts();
    };
  }

  /** Number of its channels. */
  public int channels(Connection connection) {
    return switch (this) {
      case RINGS_TREES -> connection.nChannels();
      case COLLNET -> connection.nChannels();
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
