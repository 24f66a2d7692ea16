package dev.topo.cli.option;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.RankLayout.DomainSizes;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that describe a job: the number and kind of its machines, and how its ranks are split
 * into communicators.
 */
public final class JobOptions {
  @Option(
      names = {"-N", "--nodes"},
      paramLabel = "N[,N...]",
      description = "Number of equal machines in the job (default: 1).")
  private @Nullable String nodes;

  @Option(
      names = "--node",
      paramLabel = "FILE[*COUNT]",
      description =
          "Machines of the job in rank order, instead of FILE and --nodes; may be repeated.")
  private List<String> nodeList = new ArrayList<>();

  @Mixin private GroupOptions groups = new GroupOptions();

  @Option(
      names = "--ranks",
      paramLabel = "LIST|FILE",
      description =
          "Take these ranks in this order: 0-15/4,1-15/4 is 0, 4, 8, 12, 1, 5, 9, 13; or a FILE"
              + " with such a list.")
  private @Nullable String ranks;

  private @Nullable JobResolver resolver;

  /** True if the nodes are listed with {@code --node}. */
  public boolean hasNodeList() {
    return !nodeList.isEmpty();
  }

  /** Tells the collector of caveats whether the user states NVLink domains. */
  public void state(CaveatCollector caveats) {
    groups.state(caveats);
  }

  /** True if the user states the ranks: their order, and which of them take part. */
  public boolean hasRanks() {
    return ranks != null;
  }

  /** True if the user states NVLink domains. */
  public boolean hasDomains() {
    return groups.hasDomains();
  }

  /** True if ranks are split into communicators. */
  public boolean hasSplit() {
    return groups.hasSplit();
  }

  /** True if the user states the machines, NVLink domains or ranks of the job. */
  public boolean isGiven() {
    return nodes != null || !nodeList.isEmpty() || groups.hasDomains() || ranks != null;
  }

  /**
   * The numbers of nodes in ascending order. There is only one unless the user asks for a
   * comparison.
   */
  public List<Integer> counts() {
    return nodes == null ? List.of(1) : NodeList.counts(nodes);
  }

  /** The sizes of the NVLink domains. */
  public DomainSizes domains() {
    return groups.domains();
  }

  /** The topology files of the nodes in rank order, whether or not NVLink joins the nodes. */
  public List<Path> hosts(List<Path> files) {
    return layout(files).hosts();
  }

  /** The layout of the job that the files and options describe. */
  public RankLayout layout(List<Path> files) {
    return layout(new NodeList(files, Optional.ofNullable(nodes), nodeList).machines());
  }

  /** The layout of the job on another number of nodes than the options state. */
  public RankLayout layout(List<Path> files, int count) {
    return layout(new NodeList(files, Optional.of(String.valueOf(count)), nodeList).machines());
  }

  private RankLayout layout(RankLayout.Machines machines) {
    return new RankLayout(machines, domains(), ranks(), groups.split());
  }

  private Optional<RankLayout.Ranks> ranks() {
    return Optional.ofNullable(ranks)
        .map(text -> new RankLayout.StatedRanks(text, Streams.file(text)));
  }

  /**
   * The communicators of the job. Equal communicators of a split are one entry with several
   * colours.
   */
  public List<JobPart> parts(List<Path> files, JobInput input) {
    RankLayout layout = layout(files);
    return resolver(input).resolve(input.spec(layout)).parts();
  }

  /** The resolver of jobs with these options. It notes facts about the machines only once. */
  public JobResolver resolver(JobInput input) {
    if (resolver == null) {
      resolver = input.resolver();
    }
    return resolver;
  }

  /**
   * Reads the files of a job and builds its machines.
   *
   * @param machines reads the files
   * @param settings NCCL's settings
   * @param profile the rules by which topologies are built
   */
  public record JobInput(InputMachines machines, NcclSettings settings, NcclProfile profile) {
    /** Resolves one of several jobs; notes about its machines are printed for each of them. */
    public ResolvedJob resolve(RankLayout layout) {
      return resolver().resolve(spec(layout));
    }

    /** The specification of a job with a layout; reads no file. */
    public JobSpec spec(RankLayout layout) {
      return new JobSpec(
          layout, machines.selection(), settings, ReleaseRules.of(profile), TimeSpec.USUAL);
    }

    JobResolver resolver() {
      return new JobResolver(
          machines,
          machines.context().inputs(),
          note -> machines.context().streams().message(OptionWords.of(note)));
    }
  }

  /** The options that join nodes to NVLink domains and split ranks into communicators. */
  public static final class GroupOptions {
    @Option(
        names = "--split",
        paramLabel = "OP N",
        description =
            "Split the ranks into communicators, as NCCL_TESTS_SPLIT: AND, OR, MOD or DIV and a"
                + " number; or lists of ranks: 0-7;8-15.")
    private @Nullable String split;

    @Option(
        names = "--nvlink-domain",
        paramLabel = "N",
        split = ",",
        description =
            "Nodes of each NVLink domain (MNNVL), in rank order: 18 for racks of 18 nodes; 18,17"
                + " for two racks that differ; 1 for nodes without NVLink between them.")
    private List<Integer> domainSizes = new ArrayList<>();

    /** Tells the collector of caveats whether the user states NVLink domains. */
    public void state(CaveatCollector caveats) {
      if (hasDomains()) {
        caveats.useStatedDomains();
      }
    }

    /** True if the user states NVLink domains. */
    public boolean hasDomains() {
      return !domainSizes.isEmpty();
    }

    /** The sizes of the NVLink domains. */
    public DomainSizes domains() {
      return new DomainSizes(domainSizes);
    }

    /** True if ranks are split into communicators. */
    public boolean hasSplit() {
      return split != null;
    }

    /** The rule that splits the ranks, as the user states it. */
    public Optional<String> split() {
      return Optional.ofNullable(split);
    }

    /** The layout of a job on these hosts, in rank order. */
    public RankLayout layout(List<Path> hosts) {
      return new RankLayout(new RankLayout.Listed(hosts), domains(), Optional.empty(), split());
    }
  }

  /**
   * The nodes of a job as the user states them.
   *
   * @param files the topology files of the command
   * @param nodes the number of nodes, as text
   * @param entries the values of {@code --node}, each {@code FILE} or {@code FILE*COUNT}
   */
  record NodeList(List<Path> files, Optional<String> nodes, List<String> entries) {
    private static final int MAX = Job.MOST_MACHINES;

    /**
     * The machines.
     *
     * @throws SettingException if there are several numbers of nodes, no file, or both forms are
     *     mixed
     */
    RankLayout.Machines machines() {
      List<Integer> counts = nodes.map(NodeList::counts).orElse(List.of(1));
      if (counts.size() > 1) {
        throw new SettingException(
            "--nodes %s: expected one number; topo predict and topo chart --scaling take several"
                .formatted(nodes.orElseThrow()));
      }
      if (!entries.isEmpty()) {
        return new RankLayout.Listed(listed());
      }
      refuseIf(
          files.size() != 1, "expected one FILE, or --node FILE[*COUNT] for machines that differ");
      return new RankLayout.Equal(files.get(0), counts.get(0));
    }

    private List<Path> listed() {
      refuseIf(
          !files.isEmpty() || nodes.isPresent(),
          "--node cannot be combined with FILE or --nodes: name each machine once, as in --node"
              + " FILE*4");
      List<Path> machines = new ArrayList<>();
      for (String entry : entries) {
        int star = entry.lastIndexOf('*');
        int copies = star < 0 ? 1 : count(entry, entry.substring(star + 1));
        Path file = Streams.file(star < 0 ? entry : entry.substring(0, star));
        machines.addAll(Collections.nCopies(copies, file));
      }
      return machines;
    }

    private static int count(String entry, String text) {
      return number(text)
          .orElseThrow(
              () ->
                  new SettingException(
                      "--node "
                          + entry
                          + ": expected FILE or FILE*COUNT with a COUNT from 1 to "
                          + MAX));
    }

    /** Parses a number of nodes; empty if it is not one that a job may have. */
    private static Optional<Integer> number(String text) {
      try {
        return Optional.of(Integer.parseInt(text)).filter(count -> count >= 1 && count <= MAX);
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    /**
     * Parses numbers of nodes: {@code 4}, {@code 1,2,4,8} or {@code 1:1024:2}.
     *
     * @return the numbers in ascending order, without duplicates
     * @throws SettingException if the text has none of the three forms
     */
    static List<Integer> counts(String text) {
      String[] range = text.split(":", -1);
      if (range.length == 1) {
        return Arrays.stream(text.split(",", -1))
            .map(number -> nodeCount(text, number))
            .distinct()
            .sorted()
            .toList();
      }
      int first = nodeCount(text, range[0]);
      int last = nodeCount(text, range[1]);
      int factor = range.length > 2 ? nodeCount(text, range[2]) : 2;
      if (range.length > 3 || factor < 2 || last < first) {
        throw malformed(text);
      }
      List<Integer> counts = new ArrayList<>();
      for (long count = first; count <= last; count *= factor) {
        counts.add((int) count);
      }
      return counts;
    }

    private static int nodeCount(String text, String number) {
      return number(number.strip()).orElseThrow(() -> malformed(text));
    }

    private static SettingException malformed(String text) {
      return new SettingException(
          "--nodes %s: expected a number from 1 to %s, several as in 1,2,4,8, or first:last:factor as in 1:1024:2"
              .formatted(text, MAX));
    }
  }
}
