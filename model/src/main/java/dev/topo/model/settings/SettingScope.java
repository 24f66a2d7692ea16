package dev.topo.model.settings;

/** What a setting of NCCL has an influence on, as far as this project models it. */
public enum SettingScope {
  /** Which devices of a real machine NCCL sees. */
  MACHINE,
  /** Paths between nodes: which links NCCL is willing to use. */
  PATHS,
  /** The search for channels on one node. */
  SEARCH,
  /** How the channels of the nodes are joined and how many of them are used. */
  CONNECT,
  /** The choice of algorithm and protocol. */
  TUNING,
  /** Nothing that is modelled: transports, memory, plugins, logging. */
  NOT_MODELLED
}
