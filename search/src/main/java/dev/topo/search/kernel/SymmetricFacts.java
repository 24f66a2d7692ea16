package dev.topo.search.kernel;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.CommFacts;
import java.util.Optional;

/**
 * The properties of a communicator on which kernels for symmetric windows depend ({@code struct
 * ncclComm}).
 *
 * @param profile the rules of the NCCL version
 * @param sm lowest compute capability of the GPUs; NCCL fails if ranks choose by different ones
 * @param nRanks number of ranks
 * @param nNodes number of nodes; an NVLink domain of several hosts counts as one
 * @param multicast whether NVLink multicast is used ({@code nvlsSupport})
 * @param peerAccess whether CUDA allows peer access between all GPUs of a node ({@code
 *     isAllCudaP2p}), whatever NCCL_P2P_LEVEL
 * @param directPeers whether NCCL uses direct access between all GPUs of a node ({@code
 *     isAllDirectP2p})
 * @param nvlinkPeers whether NVLink connects all GPUs of a node directly ({@code
 *     isAllDirectNvlink})
 * @param armCpu whether the CPUs of all nodes are Arm
 */
public record SymmetricFacts(
    NcclProfile profile,
    int sm,
    int nRanks,
    int nNodes,
    boolean multicast,
    boolean peerAccess,
    boolean directPeers,
    boolean nvlinkPeers,
    boolean armCpu) {
  public SymmetricFacts {
    if (nRanks < 1 || nNodes < 1) {
      throw new IllegalArgumentException(
          nRanks + " ranks on " + nNodes + " nodes: expected at least 1 of each");
    }
  }

  /** The properties of a communicator. */
  static SymmetricFacts of(CommFacts facts, RegistrationFacts peers) {
    return new SymmetricFacts(
        facts.profile(),
        facts.minSm(),
        facts.nRanks(),
        facts.nNodes(),
        facts.nvls(),
        peers.peerAccess(),
        peers.directPeers(),
        peers.nvlinkPeers(),
        facts.cpu().arch().equals(Optional.of(CpuArch.ARM)));
  }

  /** True if multicast is available and the version uses it for this number of ranks. */
  boolean usesMulticast() {
    return multicast && nRanks >= profile.symmetric().multicastLeastRanks;
  }
}
