package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.Inputs;
import dev.topo.simulator.evaluate.FabricResolver;
import dev.topo.simulator.evaluate.FabricSpec;
import java.nio.file.Path;
import java.util.Optional;
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

  /** Whether the user has given a map of switches. */
  public boolean isGiven() {
    return spec(false).isStated();
  }

  /**
   * Reads the map of switches.
   *
   * @param inputs reads the files
   */
  public FabricResolver resolver(Inputs inputs) {
    return new FabricResolver(spec(false), inputs);
  }

  FabricSpec spec(boolean adaptive) {
    return new FabricSpec(
        Optional.ofNullable(file), Optional.ofNullable(hosts).map(FabricOptions::names), adaptive);
  }

  private static FabricSpec.HostNames names(String text) {
    return text.startsWith("@")
        ? new FabricSpec.HostsInFile(Streams.file(text.substring(1)))
        : new FabricSpec.ListedHosts(text);
  }
}
