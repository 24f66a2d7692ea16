package dev.topo.model.job;

/** The part of NCCL that a setting influences, as far as this project models it. */
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
  /** The ids of NVLink domains and of their parts, which the job states in another way. */
  NVLINK_DOMAIN,
  /** The launch of calls on registered buffers and windows. */
  BUFFERS,
  /** How data crosses the network: not modelled. */
  TRANSPORT,
  /** Something else that changes what NCCL does, but is not modelled. */
  NOT_MODELLED,
  /** Nothing that a job's channels, choices and times depend on: logging, dumps, start-up. */
  NO_INFLUENCE;

  /** True if such a setting changes what is computed for a job. */
  public boolean isModelled() {
    return this == PATHS || this == SEARCH || this == CONNECT || this == TUNING;
  }
}
