package dev.topo.cli.option.job;

import dev.topo.model.diagnostic.FileFault;
import dev.topo.model.fabric.HostList;
import dev.topo.model.fabric.SwitchMap;
import dev.topo.model.fabric.SwitchMapReader;
import dev.topo.model.job.Job;
import dev.topo.model.settings.SettingException;
import dev.topo.search.connect.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    List<String> names = hosts == null ? switches().nodes() : expand(hosts);
    if (names.size() < nodes) {
      throw new SettingException(
          "--fabric: %s host names for %s nodes (--hosts), expected at least as many"
              .formatted(names.size(), nodes));
    }
    List<String> ofJob = names.subList(0, nodes);
    Set<String> known = new HashSet<>(switches().nodes());
    Set<String> seen = new HashSet<>();
    for (String name : ofJob) {
      if (!known.contains(name)) {
        throw new SettingException("--hosts: " + name + " is not a node of " + file);
      }
      if (!seen.add(name)) {
        throw new SettingException(
            "--hosts: " + name + " is listed twice, expected distinct nodes");
      }
    }
    return ofJob;
  }

  private static List<String> expand(String list) {
    try {
      if (!list.startsWith("@")) {
        return HostList.expand(list);
      }
      // A hostfile of MPI may say how many slots a host has.
      return Files.readAllLines(Path.of(list.substring(1))).stream()
          .map(line -> line.replaceFirst("[#\\s].*", "").strip())
          .flatMap(name -> HostList.expand(name).stream())
          .toList();
    } catch (IOException e) {
      throw new SettingException(
          "--hosts " + list + ": cannot be read (" + FileFault.words(e) + ")", e);
    } catch (IllegalArgumentException e) {
      throw new SettingException("--hosts: " + e.getMessage(), e);
    }
  }
}
