package dev.topo.model.nic;

import dev.topo.model.Last;
import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.SpecException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names of the hosts of a job in rank order, as a user lists them.
 *
 * @param file the file with the names; empty if they are not from a file
 */
public record JobHosts(List<Host> hosts, String file) {
  public JobHosts {
    hosts = List.copyOf(hosts);
  }

  /**
   * A host of the list.
   *
   * @param place its location in the file; empty if it is not from a file
   */
  private record Host(String name, Optional<SourceLocation> place) {}

  /** The nodes of a switch map, in its order. */
  public static JobHosts of(SwitchMap map) {
    return new JobHosts(
        map.nodes().stream().map(name -> new Host(name, Optional.empty())).toList(), "");
  }

  /**
   * A list such as {@code n[0-15,20]}.
   *
   * @throws SpecException if it is malformed
   */
  public static JobHosts ofList(String list) {
    return new JobHosts(expand(list, Optional.empty()), "");
  }

  /**
   * The hosts in a file with a list, in an MPI hostfile, or in one of Slurm.
   *
   * @throws TopologyFormatException if it is malformed
   */
  public static JobHosts ofFile(Path file, Inputs inputs) {
    List<String> lines = inputs.text(file, "host names").lines().toList();
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      SourceLocation place =
          new SourceLocation(file.toString(), i + 1, lines.get(i).indexOf(line) + 1);
      // An MPI hostfile may state the slots of a host.
      // SLURM_HOSTFILE has a line for each task of a host.
      if (hosts.isEmpty() || !Last.of(hosts).name.equals(line)) {
        hosts.addAll(expand(line.replaceFirst("[#\\s].*", ""), Optional.of(place)));
      }
    }
    return new JobHosts(hosts, file.toString());
  }

  private static List<Host> expand(String names, Optional<SourceLocation> place) {
    try {
      return HostList.expand(names).stream().map(name -> new Host(name, place)).toList();
    } catch (IllegalArgumentException e) {
      throw error(place, String.valueOf(e.getMessage()));
    }
  }

  /** A format error for names from a file, otherwise a usage error. */
  private static RuntimeException error(Optional<SourceLocation> place, String why) {
    return place.isPresent()
        ? new TopologyFormatException(place.get(), why)
        : new SpecException(SpecField.HOSTS, ": %s", why);
  }

  /**
   * Returns the host of each node of a job. Checks that each host is in the switch map and listed
   * only once, and that the node has the ports of the map.
   *
   * @param map the switches
   * @param mapFile the file of the map, for messages
   */
  public List<String> of(Job job, SwitchMap map, String mapFile) {
    int nodes = job.machines().size();
    if (hosts.size() < nodes) {
      String few = "%s host names for %s nodes".formatted(hosts.size(), nodes);
      if (hosts.stream().anyMatch(host -> host.place.isPresent())) {
        throw new TopologyFormatException(file, few + ", expected at least as many");
      }
      throw new SpecException(
          SpecField.FABRIC, ": %s (%s), expected at least as many", few, SpecField.HOSTS);
    }
    List<Host> jobHosts = hosts.subList(0, nodes);
    List<String> names = new JobHosts(jobHosts, file).in(map, mapFile);
    for (int node = 0; node < nodes; node++) {
      requirePorts(map.ports(names.get(node)), job.machines().get(node).topology());
    }
    return names;
  }

  /** All names. Checks that each is in the switch map and listed only once. */
  public List<String> in(SwitchMap map, String mapFile) {
    Set<String> known = new HashSet<>(map.nodes());
    Set<String> seen = new HashSet<>();
    for (Host host : hosts) {
      if (!known.contains(host.name)) {
        throw error(host.place, host.name + " is not a node of " + mapFile);
      }
      if (!seen.add(host.name)) {
        throw error(host.place, host.name + " is listed twice, expected distinct nodes");
      }
    }
    return hosts.stream().map(Host::name).toList();
  }

  /**
   * Checks that each port of the map is a port of the machine, by name or number, or part of a
   * merged port.
   */
  private static void requirePorts(Map<String, SwitchMap.Port> ports, Topology machine) {
    Set<String> known = new LinkedHashSet<>();
    for (NetNode net : machine.nets()) {
      known.add(net.name());
      known.add(String.valueOf(net.dev()));
      known.addAll(List.of(net.name().split("\\+")));
    }
    ports.forEach(
        (name, port) -> {
          if (!name.equals(SwitchMap.ANY_PORT) && !known.contains(name)) {
            String names = QuantityFormat.joined(", ", machine.nets(), NetNode::name);
            throw new TopologyFormatException(
                port.place(),
                "'%s': the machine has no such network port, expected %s"
                    .formatted(name, names.isEmpty() ? "none" : "one of " + names));
          }
        });
  }
}
