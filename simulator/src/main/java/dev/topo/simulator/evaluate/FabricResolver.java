package dev.topo.simulator.evaluate;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.Job;
import dev.topo.model.job.SpecException;
import dev.topo.model.nic.JobHosts;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.network.Fabric;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the map of switches that a {@link FabricSpec} names, once, and places the nodes of jobs at
 * them. Not for use by several threads.
 */
public final class FabricResolver {
  private final FabricSpec spec;
  private final Inputs inputs;

  private @Nullable SwitchMap switches;

  /**
   * A resolver for a specification that has a map.
   *
   * @param inputs reads the files that it names
   */
  public FabricResolver(FabricSpec spec, Inputs inputs) {
    this.spec = spec;
    this.inputs = inputs;
  }

  /** The map of switches. */
  public SwitchMap switches() {
    if (switches == null) {
      switches = SwitchMapReader.read(map(), inputs);
    }
    return switches;
  }

  private Path map() {
    return spec.map().orElseThrow();
  }

  /**
   * The host of each node of a job.
   *
   * @throws SpecException if its machines are not its nodes, or hosts are missing in the map
   */
  public List<String> hosts(Connection connection, Job job) {
    requireNodes(connection.nNodes(), job.machines().size());
    return hosts(job);
  }

  /**
   * Checks that hosts, one for each machine, are the nodes of a job.
   *
   * @throws SpecException if they are not
   */
  static void requireNodes(int nNodes, int nHosts) {
    if (nNodes != nHosts) {
      throw new SpecException(
          SpecField.FABRIC, ": the machines split into %d nodes, expected %d", nNodes, nHosts);
    }
  }

  /** The switches between the machines of a job. */
  Fabric fabric(Job job) {
    return new Fabric(switches(), hosts(job), spec.adaptive());
  }

  private List<String> hosts(Job job) {
    SwitchMap map = switches();
    return spec.hosts()
        .map(this::names)
        .orElseGet(() -> JobHosts.of(map))
        .of(job, map, map().toString());
  }

  private JobHosts names(FabricSpec.HostNames hosts) {
    return hosts instanceof FabricSpec.HostsInFile in
        ? JobHosts.ofFile(in.file(), inputs)
        : JobHosts.ofList(((FabricSpec.ListedHosts) hosts).list());
  }
}
