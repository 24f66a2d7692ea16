package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.difference.Fleet;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A fleet compared with its largest group of equal nodes.
 *
 * @param folder the folder that all files lie in, if the user named one
 * @param reference the largest group; empty if no file can be used
 * @param odd the other groups, the largest first
 * @param unreadable files that cannot be used
 */
public record FleetResult(
    Optional<Path> folder,
    int nFiles,
    Optional<Reference> reference,
    List<Odd> odd,
    List<Fleet.Unreadable> unreadable) {
  public FleetResult {
    odd = List.copyOf(odd);
    unreadable = List.copyOf(unreadable);
  }

  /**
   * The group that the others are compared with.
   *
   * @param machine the machine of the first of them
   * @param settings the job in which odd nodes are evaluated
   */
  public record Reference(List<Path> files, DiffResult.Side machine, DiffSettings settings) {
    public Reference {
      files = List.copyOf(files);
    }
  }

  /**
   * Nodes that are equal to each other and differ from the reference.
   *
   * @param differences against the reference
   * @param change the effect of one of them in a job of reference nodes
   */
  public record Odd(List<Path> files, List<Difference> differences, JobChange change) {
    public Odd {
      files = List.copyOf(files);
      differences = List.copyOf(differences);
    }
  }

  /** A file of each kind of node, that of the reference first. */
  public List<Path> kinds() {
    return Stream.concat(
            reference.stream().map(machine -> machine.files().get(0)),
            odd.stream().map(machine -> machine.files().get(0)))
        .toList();
  }

  /** True if all nodes are equal and every file could be read. */
  public boolean isUniform() {
    return odd.isEmpty() && unreadable.isEmpty();
  }
}
