package dev.topo.search.rules;

import dev.topo.model.PathType;
import java.util.List;

/** Which paths NCCL takes and what counts as near ({@code nccl:src/graph/paths.cc}). */
public final class PathRules {
  private final List<PathType> types;

  /** The farthest path on which GPUs talk directly. */
  public final PathType p2p;

  /** The same for at most {@link #smallAmdGpus} GPUs on AMD CPUs. */
  public final PathType p2pSmallAmd;

  /** See {@link #p2pSmallAmd}. */
  public final int smallAmdGpus;

  /** Compute capability from which a NIC may read a GPU beside other PCI traffic. */
  public final int gdrReadSm;

  /** Paths nearer than this are led through the CPU where GPUDirect RDMA is not allowed. */
  public final PathType gdrDetourBelow;

  /** The farthest port that can replace the path between two GPUs of a node. */
  public final PathType nearNet;

  /** The farthest path from a relay GPU to the port for PXN. */
  public final PathType pxnRelayToNet;

  /** The same with NCCL_PXN_C2C. */
  public final PathType pxnRelayToNetC2c;

  /** The farthest path from a GPU to its relay for PXN. */
  public final PathType pxnGpuToRelay;

  /** PXN replaces paths to a port that are farther than this whatever their bandwidth. */
  public final PathType pxnReplacesBeyond;

  /** The farthest path that counts as NVLink where all GPUs of a node are on NVLink. */
  public final PathType allNvlink;

  PathRules(RuleTable table) {
    types = table.types("path.types");
    p2p = table.type("path.p2p");
    p2pSmallAmd = table.type("path.p2p-small-amd");
    smallAmdGpus = table.integer("path.small-amd-gpus");
    gdrReadSm = table.integer("path.gdr-read-sm");
    gdrDetourBelow = table.type("path.gdr-detour-below");
    nearNet = table.type("path.near-net");
    pxnRelayToNet = table.type("path.pxn-relay-to-net");
    pxnRelayToNetC2c = table.type("path.pxn-relay-to-net-c2c");
    pxnGpuToRelay = table.type("path.pxn-gpu-to-relay");
    pxnReplacesBeyond = table.type("path.pxn-replaces-beyond");
    allNvlink = table.type("path.all-nvlink");
  }

  /** The farthest path from a relay GPU to the port for PXN. */
  public PathType pxnRelayToNet(boolean overC2c) {
    return overC2c ? pxnRelayToNetC2c : pxnRelayToNet;
  }

  /** Whether this version has a path type. */
  public boolean has(PathType type) {
    return types.contains(type);
  }

  /** The next farther type that this version has. */
  public PathType next(PathType type) {
    return types.get(Math.min(types.indexOf(type) + 1, types.size() - 1));
  }
}
