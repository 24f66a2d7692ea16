package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.model.nic.JobHosts;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.search.connect.Connection;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the switches of the network and the order of the nodes. */
public final class FabricOptions {
  @Option(
      names = "--fabric",
      paramLabel = "FILE",
      description =
          "Switches between the nodes: Slurm's topology.conf, or a table node,nic,switch (a switch may name the one above it:"
              + " leaf3/core). The bandwidth to the switch above, in Gb/s: UplinkGbps=3200, or leaf3@3200/core; 8x400 is eight links, of"
              + " which each flow takes one.")
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

  /**
   * The map of switches.
   *
   * @param inputs reads it
   */
  public SwitchMap switches(Inputs inputs) {
    if (file == null) {
      throw new IllegalStateException("no --fabric");
    }
    if (switches == null) {
      switches = SwitchMapReader.read(file, inputs);
    }
    return switches;
  }

  /** The host of each node of a job. */
  public List<String> hosts(Connection connection, Job job, Inputs inputs) {
    int nodes = job.machines().size();
    if (connection.nNodes() != nodes) {
      throw new SettingException(
          "--fabric: the machines split into " + connection.nNodes() + " nodes, expected " + nodes);
    }
    return hosts(job, inputs);
  }

  /** The host of each machine of a job. */
  public List<String> hosts(Job job, Inputs inputs) {
    SwitchMap map = switches(inputs);
    JobHosts names =
        hosts == null
            ? JobHosts.of(map)
            : hosts.startsWith("@")
                ? JobHosts.ofFile(Streams.file(hosts.substring(1)), inputs)
                : JobHosts.ofList("--hosts: ", hosts);
    return names.of(job, map, Objects.requireNonNull(file).toString());
  }
}
