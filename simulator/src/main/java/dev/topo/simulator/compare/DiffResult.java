package dev.topo.simulator.compare;

import dev.topo.inspect.compare.Difference;
import dev.topo.model.Topology;
import java.nio.file.Path;
import java.util.List;

/**
 * Two machines compared.
 *
 * @param a the first machine
 * @param b the second
 * @param settings the job in which differences are tried
 * @param differences each with what it changes by itself
 * @param together what the second machine changes
 */
public record DiffResult(
    Side a, Side b, DiffSettings settings, List<Tried> differences, JobChange together) {
  /** Copies the list. */
  public DiffResult {
    differences = List.copyOf(differences);
  }

  /**
   * A machine.
   *
   * @param name what to call it
   * @param file its file
   * @param topology what it has
   */
  public record Side(String name, Path file, Topology topology) {}

  /**
   * A difference and what it changes by itself.
   *
   * @param difference the difference
   * @param change what changes in a job of equal machines that have it
   */
  public record Tried(Difference difference, JobChange change) {}
}
