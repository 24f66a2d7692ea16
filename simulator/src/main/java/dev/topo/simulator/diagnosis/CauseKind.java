package dev.topo.simulator.diagnosis;

import dev.topo.model.Labels;

/** Kinds of causes of measurements that do not match the healthy job. */
public enum CauseKind {
  /** NCCL delivered wrong data. */
  WRONG_RESULTS("wrong results"),
  /** The run ended early or printed an error. */
  FAILED_RUN("the run failed"),
  /** Some ranks did not enter a call, or entered another one. */
  MISSING_RANKS("ranks that are not in the call"),
  /** NCCL warned of a problem. */
  NCCL_WARNING("NCCL warned"),
  /** Some sizes are far slower than the others let expect. */
  UNEVEN_SIZES("sizes that do not fit the others"),
  /** Data between nodes goes over TCP, or over another network than that of the machine. */
  WRONG_NETWORK("sockets instead of the fast network"),
  /** Some of the NICs carry nothing. */
  FEWER_NICS("not all NICs are used"),
  /** NICs do not access GPU memory: data is copied through the host. */
  NO_GPUDIRECT("no GPUDirect RDMA"),
  /** NVLink multicast is off. */
  NVLS_OFF("NVLS is off"),
  /** GPUs reach each other over PCIe where the machine has NVLink. */
  NO_NVLINK("PCIe instead of NVLink"),
  /** GPUs of a node exchange data through host memory. */
  P2P_OFF("no direct access between GPUs"),
  /** A PCIe link has fewer lanes or a lower generation than it should have. */
  SLOW_PCIE("PCIe link below its speed"),
  /**
   * Something slows data between nodes down: every ring waits for its slowest port, so that one of
   * one node looks like all.
   */
  SLOW_PATH("one NIC, port or cable of one node, an uplink, or no GPUDirect RDMA"),
  /** NICs run below their speed. */
  SLOW_NIC("NIC below its speed"),
  /** NCCL uses fewer channels than by default. */
  FEW_CHANNELS("too few channels"),
  /** Buffers or chunks are small, or channels have few threads, by a setting. */
  BUFFERS("buffer, chunk or thread settings"),
  /** An algorithm or protocol is forced, or excluded, by a setting. */
  FORCED_CHOICE("algorithm or protocol set by the user"),
  /** Calls wait for the CPU that launches them. */
  SLOW_LAUNCHES("launches are bound by the CPU"),
  /** The run used another NCCL release than assumed. */
  OTHER_VERSION("another release of NCCL"),
  /** NCCL follows a topology or graph file that does not fit the machine. */
  WRONG_FILE("topology or graph file that does not fit"),
  /** Faster than the stated job can be: the measurements come from another job. */
  TOO_FAST("faster than this machine can be"),
  /** Other traffic, or too few uplinks, slow the network down. */
  CONGESTION("congested or oversubscribed network"),
  /** The calls are slow, but none of the known causes fits. */
  UNKNOWN("none of the known causes");

  private final String title;

  CauseKind(String title) {
    this.title = title;
  }

  /** Name in JSON and CSV. */
  public String id() {
    return Labels.of(this);
  }

  /** Name in text. */
  public String title() {
    return title;
  }
}
