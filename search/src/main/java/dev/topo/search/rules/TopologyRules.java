package dev.topo.search.rules;

import dev.topo.model.CpuNode;
import dev.topo.model.Node;
import dev.topo.model.nic.PortMerging;
import java.util.List;
import java.util.Optional;

/** How NCCL builds a topology from a file ({@code nccl:src/graph/topo.cc}). */
public final class TopologyRules extends Rules {
  /** How the CPU of a GPU is searched from link to link. */
  public enum CpuSearch {
    /** Up the PCI tree. */
    UPWARD,
    /** Over bridges, also back: without end where a bridge lists another one before its CPU. */
    OVER_BRIDGES,
    /** Over all PCI links, also back: without end where a bridge lists a device before its CPU. */
    OVER_PCI_LINKS
  }

  public final CpuSearch cpuSearch = table.one("topology.cpu-search", CpuSearch.class);

  public final int maxLinks = table.integer("topology.max-links");

  /** Links from a GPU to itself, which no path uses. */
  public final int linksOfGpuToItself = table.integer("topology.links-of-gpu-to-itself");

  /** Treatment of NUMA id -1, which virtual machines report. */
  public enum NumaIds {
    /** It is cut to the bits of a local number. */
    CUT,
    /** It changes the host that the CPU counts as. */
    WITH_HOST,
    /** Ids have no host. */
    WHOLE
  }

  public final NumaIds numaIds = table.one("topology.numa-ids", NumaIds.class);

  /** True if the functions of a network card are one card. */
  public final boolean joinsNicFunctions =
      table.isFirst("topology.nic-functions", "joined", "apart");

  /** True if links between PCI switches are read. */
  public final boolean readsPciLinks = table.isFirst("topology.pci-links", "read", "ignored");

  /** How ports are merged; empty where that is not modelled. */
  public final Optional<PortMerging> portMerging =
      table.text("topology.port-merging").equals("other")
          ? Optional.empty()
          : Optional.of(table.one("topology.port-merging", PortMerging.class));

  /** Generations of Broadcom switches whose two levels are joined. */
  public final List<Integer> joinedBroadcomGenerations =
      table.words("topology.joined-broadcom-generations").stream().map(Integer::valueOf).toList();

  /** True if Broadcom switches are only joined if all their ids are equal. */
  public final boolean joinsEqualBroadcomOnly =
      table.isFirst("topology.joined-broadcom-ids", "equal", "alike");

  TopologyRules(RuleTable table) {
    super(table);
  }

  /** A node as NCCL's log names it, host first. */
  public String label(Node node) {
    return numaIds == NumaIds.WHOLE && node instanceof CpuNode cpu
        ? "CPU %x-%s".formatted(cpu.id().systemId(), Long.toHexString(cpu.numaId()))
        : node.label();
  }
}
