package dev.topo.cli.option.job;

import dev.topo.cli.output.Streams;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.fabric.HostList;
import dev.topo.model.fabric.SwitchMap;
import dev.topo.model.fabric.SwitchMapReader;
import dev.topo.model.job.Job;
import dev.topo.model.node.NetNode;
import dev.topo.model.settings.SettingException;
import dev.topo.search.connect.Connection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the switches of the network and the order of the nodes. */
public final class FabricOptions {
  @Option(
      names = "--fabric",
      paramLabel = "FILE",
      description =
          "Network switches, to count hops that change rail or switch: Slurm's topology.conf, or a table node,nic,switch (a switch may name the"
              + " one above it: leaf3/core).")
  private @Nullable Path file;

  @Option(
      names = "--hosts",
      paramLabel = "LIST",
      description =
          "Names of the nodes in rank order, as in n[0-15,20] or @FILE (default: the order of --fabric).")
  private @Nullable String hosts;

  private @Nullable SwitchMap switches;

  /** Whether the user has given a map of switches. */
  public boolean isGiven() {
    if (file == null && hosts != null) {
      throw new SettingException("--hosts names the nodes of --fabric: expected --fabric FILE");
    }
    return file != null;
  }

  /** The map of switches. */
  public SwitchMap switches() {
    if (file == null) {
      throw new IllegalStateException("no --fabric");
    }
    if (switches == null) {
      switches = SwitchMapReader.read(file);
    }
    return switches;
  }

  /** The host of each node of a job. */
  public List<String> hosts(Connection connection, Job job) {
    int nodes = job.machines().size();
    if (connection.nNodes() != nodes) {
      throw new SettingException(
          "--fabric: the machines split into " + connection.nNodes() + " nodes, expected " + nodes);
    }
    List<Host> names =
        hosts == null
            ? switches().nodes().stream().map(name -> new Host(name, Optional.empty())).toList()
            : expand(hosts);
    if (names.size() < nodes) {
      String few = "%s host names for %s nodes".formatted(names.size(), nodes);
      if (hosts != null && hosts.startsWith("@")) {
        throw new TopologyFormatException(
            SourceLocation.of(hosts.substring(1)), few + ", expected at least as many");
      }
      throw new SettingException("--fabric: " + few + " (--hosts), expected at least as many");
    }
    List<Host> ofJob = names.subList(0, nodes);
    Set<String> known = new HashSet<>(switches().nodes());
    Set<String> seen = new HashSet<>();
    for (Host host : ofJob) {
      if (!known.contains(host.name)) {
        throw wrong(host.place, host.name + " is not a node of " + file);
      }
      if (!seen.add(host.name)) {
        throw wrong(host.place, host.name + " is listed twice, expected distinct nodes");
      }
    }
    for (int node = 0; node < nodes; node++) {
      requirePorts(switches().ports(ofJob.get(node).name), job.machines().get(node).topology());
    }
    return ofJob.stream().map(Host::name).toList();
  }

  /** A port of the map has the name or the number of one of the machine, or of a part of one. */
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
            String names =
                machine.nets().stream().map(NetNode::name).collect(Collectors.joining(", "));
            throw new TopologyFormatException(
                port.place(),
                "'%s': the machine has no such network port, expected %s"
                    .formatted(name, names.isEmpty() ? "none" : "one of " + names));
          }
        });
  }

  /**
   * A host of the list.
   *
   * @param place its place in a file; empty for one of the command line
   */
  private record Host(String name, Optional<SourceLocation> place) {}

  private static List<Host> expand(String list) {
    if (!list.startsWith("@")) {
      return expand(list, Optional.empty());
    }
    Path file = Streams.file(list.substring(1));
    List<String> lines = InputFile.text(file, "host names").lines().toList();
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      SourceLocation place =
          new SourceLocation(file.toString(), i + 1, lines.get(i).indexOf(line) + 1);
      // A hostfile of MPI may say how many slots a host has.
      hosts.addAll(expand(line.replaceFirst("[#\\s].*", ""), Optional.of(place)));
    }
    return hosts;
  }

  private static List<Host> expand(String names, Optional<SourceLocation> place) {
    try {
      return HostList.expand(names).stream().map(name -> new Host(name, place)).toList();
    } catch (IllegalArgumentException e) {
      throw wrong(place, String.valueOf(e.getMessage()));
    }
  }

  /** In a file it is bad input, on the command line usage. */
  private static RuntimeException wrong(Optional<SourceLocation> place, String why) {
    return place.isPresent()
        ? new TopologyFormatException(place.get(), why)
        : new SettingException("--hosts: " + why);
  }
}
