package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The switches between the nodes of a job, as stated.
 *
 * @param map the file with the map of switches; empty where they are taken for wide enough
 * @param hosts the names of the nodes in rank order; empty for the order of the map
 * @param adaptive whether switches spread traffic evenly over the links to the next switch
 */
public record FabricSpec(Optional<Path> map, Optional<HostNames> hosts, boolean adaptive) {
  /** Switches that are wide enough. */
  public static final FabricSpec NONE = new FabricSpec(Optional.empty(), Optional.empty(), false);

  /** The names of hosts. */
  public sealed interface HostNames {}

  /** A list such as {@code n[0-15,20]}. */
  public record ListedHosts(String list) implements HostNames {}

  /** A file with such a list, or a hostfile of MPI. */
  public record HostsInFile(Path file) implements HostNames {}

  /**
   * Whether there is a map of switches.
   *
   * @throws SpecException if hosts are named without one
   */
  public boolean isStated() {
    if (map.isEmpty() && hosts.isPresent()) {
      throw new SpecException(
          SpecField.HOSTS,
          " names the nodes of %s: expected %s FILE",
          SpecField.FABRIC,
          SpecField.FABRIC);
    }
    return map.isPresent();
  }

  /**
   * The same, where adaptive routing needs a map, too.
   *
   * @throws SpecException if hosts or adaptive routing are stated without one
   */
  boolean isWhole() {
    if (!isStated() && adaptive) {
      throw new SpecException(
          SpecField.ADAPTIVE_ROUTING,
          " is how the switches of %s work: expected %s FILE",
          SpecField.FABRIC,
          SpecField.FABRIC);
    }
    return isStated();
  }
}
