package dev.topo.cli;

import dev.topo.model.collective.Collective;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that names collectives. */
final class CollectiveOptions {
  @Option(
      names = "--collective",
      paramLabel = "NAME",
      split = ",",
      description =
          "all_reduce, all_gather, reduce_scatter, broadcast, reduce, or all (default: all).")
  private List<String> names = new ArrayList<>();

  /** The collectives: those that are named, or all. */
  List<Collective> named() {
    return CallOptions.collectives(names);
  }
}
