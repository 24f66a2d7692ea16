package dev.topo.model.job;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A machine of a job.
 *
 * @param topology the machine with its participating GPUs, which have the ranks from 0 on
 * @param settings the settings of the processes on it
 */
public record Machine(Topology topology, NcclSettings settings) {
  /**
   * Checks that every rank occurs once.
   *
   * @throws UnusableTopologyException otherwise; NCCL then fails to find a rank, too ({@code
   *     nccl:src/graph/topo.h#ncclTopoRankToIndex})
   */
  public Machine {
    List<Integer> ranks = topology.gpus().stream().map(GpuNode::rank).toList();
    BitSet present = new BitSet();
    ranks.forEach(present::set);
    if (ranks.isEmpty()
        || present.cardinality() != ranks.size()
        || present.length() != ranks.size()) {
      // A GPU of the file may be missing in the topology: NCCL ignores devices below an endpoint.
      throw new UnusableTopologyException(
          "the GPUs that it finds have the ranks " + ranks + ", expected each from 0 on once");
    }
  }

  /**
   * The machine with its ports selected and merged by its settings; the same object if nothing
   * changes.
   *
   * @throws UnusableTopologyException if NCCL fails to merge them
   */
  public Machine withMergedPorts() {
    Topology effective = topology.seen(settings.nicMerging(), settings.hcas());
    return effective == topology ? this : new Machine(effective, settings);
  }

  /** Number of participating GPUs. */
  public int nRanks() {
    return topology.gpus().size();
  }

  /** Names of machines, derived from their files. */
  public static final class MachineName {
    private MachineName() {}

    /**
     * The name of the file without extension, or the name of its folder if the file is called topo.
     */
    public static String of(Path file) {
      String stem = stem(file);
      Path folder = file.toAbsolutePath().normalize().getParent();
      if (!stem.equals("topo") || folder == null || folder.getFileName() == null) {
        return stem;
      }
      return folder.getFileName().toString();
    }

    /** The machines of a job in rank order: {@code dgx-h100 x 4}. */
    public static String of(List<Path> machines) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < machines.size(); ) {
        int end = i;
        while (end < machines.size() && machines.get(end).equals(machines.get(i))) {
          end++;
        }
        parts.add(of(machines.get(i)) + (end - i == 1 ? "" : " x " + (end - i)));
        i = end;
      }
      return String.join(" + ", parts);
    }

    /** The name of a topology file without its extension. */
    public static String stem(Path file) {
      return String.valueOf(file.getFileName()).replaceFirst("(?i)\\.xml(\\.gz)?$", "");
    }
  }

  /**
   * The GPUs of a machine that participate in a job. NCCL does not see the others; every network
   * port remains.
   *
   * @param devs device numbers of the GPUs, or empty for all
   */
  public record GpuSelection(Optional<Set<Integer>> devs) {
    public static final GpuSelection ALL = new GpuSelection(Optional.empty());

    /** Copies the set, in ascending order. */
    public GpuSelection {
      devs = devs.map(numbers -> Collections.unmodifiableSet(new TreeSet<>(numbers)));
    }

    public static GpuSelection of(Set<Integer> devs) {
      return new GpuSelection(Optional.of(devs));
    }

    /** True if the GPU with a {@code dev} participates. */
    public boolean contains(int dev) {
      return devs.isEmpty() || devs.get().contains(dev);
    }
  }
}
