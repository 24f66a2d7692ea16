package dev.topo.cli.option;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.simulator.evaluate.DomainSizes;
import dev.topo.simulator.evaluate.RankLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that join the nodes of a job to NVLink domains, and split its ranks. */
public final class GroupOptions {
  @Option(
      names = "--split",
      paramLabel = "OP N",
      description =
          "Split the ranks into communicators, as NCCL_TESTS_SPLIT: AND, OR, MOD or DIV and a number; or lists of ranks: 0-7;8-15.")
  private @Nullable String split;

  @Option(
      names = "--nvlink-domain",
      paramLabel = "N",
      split = ",",
      description =
          "Nodes of each NVLink domain (MNNVL), in rank order: 18 for racks of 18 nodes; 18,17 for two racks that differ; 1 for"
              + " nodes without NVLink between them.")
  private List<Integer> domainSizes = new ArrayList<>();

  /** Notes for the caveats of an answer what is stated of NVLink domains. */
  public void state(CaveatCollector caveats) {
    if (hasDomains()) {
      caveats.domainsAreStated();
    }
  }

  /** Whether the user states which nodes NVLink joins. */
  public boolean hasDomains() {
    return !domainSizes.isEmpty();
  }

  /** Which nodes NVLink joins. */
  public DomainSizes domains() {
    return new DomainSizes(domainSizes);
  }

  /** Whether ranks are split into communicators. */
  public boolean hasSplit() {
    return split != null;
  }

  /** How ranks are split into communicators, as stated. */
  public Optional<String> split() {
    return Optional.ofNullable(split);
  }

  /** The job of some hosts in rank order. */
  public RankLayout layout(List<Path> hosts) {
    return new RankLayout(new RankLayout.Listed(hosts), domains(), Optional.empty(), split());
  }
}
