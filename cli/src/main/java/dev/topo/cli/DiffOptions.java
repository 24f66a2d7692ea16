package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.JobOptions.GroupOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the job in which differences are evaluated. */
final class DiffOptions {
  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "Nodes of the job in which differences are evaluated (default: 2 if the first machine has network ports, else 1).")
  private @Nullable Integer nodes;

  @Mixin private GroupOptions groups = new GroupOptions();
  @Mixin private CallOptions calls = new CallOptions();

  /** The number of nodes, if given. */
  Optional<Integer> nodes() {
    refuseIf(nodes != null && nodes < 1, "--nodes " + nodes + ": expected a number from 1");
    return Optional.ofNullable(nodes);
  }

  GroupOptions groups() {
    return groups;
  }

  CallOptions calls() {
    return calls;
  }
}
