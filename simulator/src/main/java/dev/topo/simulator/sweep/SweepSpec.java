package dev.topo.simulator.sweep;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.job.SettingException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A sweep: every machine with one value of each axis, on every fabric, with every number of nodes.
 *
 * @param source the text of the specification
 * @param name name of the sweep
 * @param machines the machines that the edits of the axes change
 * @param axes what is varied, in the order of the file
 * @param fabrics the switches between the nodes; at least one
 * @param nodes numbers of equal nodes, ascending; at least one
 * @param questions questions about each variant; at least one
 * @param calibration name or file of the calibration; empty for the one that fits the machine
 * @param network name or file of the calibration between nodes; empty for the one that fits the
 *     ports
 * @param memory whether rows contain the GPU memory that NCCL takes
 * @param ranking criteria for comparing designs
 */
public record SweepSpec(
    String source,
    String name,
    List<MachineFile> machines,
    List<Axis> axes,
    List<Switches> fabrics,
    List<Integer> nodes,
    List<Question> questions,
    Optional<Constants> calibration,
    Optional<Constants> network,
    boolean memory,
    Ranking ranking) {
  public SweepSpec {
    machines = List.copyOf(machines);
    axes = List.copyOf(axes);
    fabrics = List.copyOf(fabrics);
    nodes = List.copyOf(nodes);
    questions = List.copyOf(questions);
  }

  /**
   * A machine.
   *
   * @param file the topology file of a node
   * @param nvlinkDomain nodes of each NVLink domain (MNNVL), 1 for nodes without NVLink between
   *     them; empty where the specification does not say, which is the same
   */
  public record MachineFile(
      String name, Path file, OptionalInt nvlinkDomain, SourceLocation location) {
    /** The nodes of one machine of a job; edits apply to all of them. */
    int hosts() {
      return nvlinkDomain.orElse(1);
    }

    /**
     * The machines of a job.
     *
     * @throws SettingException if the nodes are not a multiple of the domain
     */
    int machines(int nodes) {
      if (nodes % hosts() != 0) {
        throw new SettingException(
            "nvlink-domain %s: expected numbers that add up to the %s of the job"
                .formatted(hosts(), QuantityFormat.count(nodes, "node")));
      }
      return nodes / hosts();
    }
  }

  /**
   * Constants of hardware: shipped ones by their name, or a file of the user.
   *
   * @param name the name as written
   * @param file the file, unless the name is a shipped one
   */
  public record Constants(String name, Path file, SourceLocation location) {
    /** True for NCCL's own model. */
    boolean isNone() {
      return name.equals("none");
    }
  }
}
