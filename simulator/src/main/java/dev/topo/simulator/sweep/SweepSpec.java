package dev.topo.simulator.sweep;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.job.SettingException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The specification of a sweep: every machine with every combination of values of the axes, on
 * every fabric, with every number of nodes.
 *
 * @param source text of the specification
 * @param name name of the sweep
 * @param machines machines before the edits of the axes
 * @param axes varied properties, in the order of the file
 * @param fabrics switches between the nodes; at least one
 * @param nodes numbers of equal nodes, ascending; at least one
 * @param questions questions about each variant; at least one
 * @param calibration calibration inside nodes; empty to choose it by the machine
 * @param network calibration between nodes; empty to choose it by the ports
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

  /** This specification with other machines. */
  SweepSpec withMachines(List<MachineFile> others) {
    return new SweepSpec(
        source,
        name,
        others,
        axes,
        fabrics,
        nodes,
        questions,
        calibration,
        network,
        memory,
        ranking);
  }

  /**
   * A machine of a specification.
   *
   * @param file topology file of a node
   * @param nvlinkDomain number of nodes of each NVLink domain (MNNVL); 1 if no NVLink joins nodes.
   *     Empty, if the specification does not state it, means 1, too
   */
  public record MachineFile(
      String name, Path file, OptionalInt nvlinkDomain, SourceLocation location) {
    /** Number of nodes that form one machine of a job; edits apply to all of them. */
    int hosts() {
      return nvlinkDomain.orElse(1);
    }

    /**
     * Number of machines of a job.
     *
     * @param nodes number of nodes of the job
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
   * A calibration: a shipped one by its name, or a file of the user.
   *
   * @param name name as written in the specification
   * @param file the name as a file; used unless a shipped calibration has the name
   */
  public record Constants(String name, Path file, SourceLocation location) {
    /** True for NCCL's own model. */
    boolean isNone() {
      return name.equals("none");
    }
  }
}
