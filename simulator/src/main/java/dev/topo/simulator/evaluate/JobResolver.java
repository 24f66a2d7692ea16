package dev.topo.simulator.evaluate;

import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.RankList;
import dev.topo.model.job.SpecException;
import dev.topo.search.topology.JobMachines;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.search.topology.JobMachines.Hosts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reads the machines of jobs and creates their communicators. Reports once per machine that it has
 * no network port.
 */
public final class JobResolver {
  private final HostFiles files;
  private final Inputs inputs;
  private final Consumer<SpecText> notes;
  private final MissingPorts missingPorts = new MissingPorts();

  /**
   * A resolver.
   *
   * @param files reads the machines
   * @param inputs reads other files that a job names
   * @param notes receives assumptions
   */
  public JobResolver(HostFiles files, Inputs inputs, Consumer<SpecText> notes) {
    this.files = files;
    this.inputs = inputs;
    this.notes = notes;
  }

  /**
   * The communicators of a job. Equal ones of a split are one part with several colours; equal
   * machines are one object.
   *
   * @throws SpecException if NVLink domains, ranks or groups do not fit the machines
   * @throws TopologyFormatException if a machine cannot be read
   */
  public ResolvedJob resolve(JobSpec spec) {
    RankLayout layout = spec.layout();
    List<Path> hosts = layout.hosts();
    JobMachines machines =
        new JobMachines(files, spec.gpus(), spec.settings(), spec.rules().profile());
    List<Hosts> usual = layout.domains().divide(hosts).stream().map(Hosts::all).toList();
    List<Hosts> inOrder =
        layout.ranks().map(ranks -> inOrder(machines, usual, ranks)).orElse(usual);
    Job job = machines.job(inOrder);
    Optional<GroupRule> rule = layout.split().map(JobResolver::rule);
    List<JobPart> parts =
        rule.map(split -> split(inOrder, job, split, machines))
            .orElseGet(() -> List.of(JobPart.whole(firsts(inOrder), job, layout.title())));
    boolean sharesHosts = rule.map(split -> JobSplitter.sharesHosts(job, split)).orElse(false);
    ResolvedJob resolved = new ResolvedJob(job, parts, sharesHosts);
    noteMissingPorts(inOrder, resolved);
    return resolved;
  }

  private List<Hosts> inOrder(JobMachines machines, List<Hosts> usual, RankLayout.Ranks ranks) {
    RankList list = list(ranks);
    return accepted(SpecField.RANKS, () -> machines.inOrder(usual, list));
  }

  private RankList list(RankLayout.Ranks ranks) {
    if (ranks instanceof RankLayout.StatedRanks stated && !RankList.isList(stated.label())) {
      return RankList.read(stated.file(), inputs);
    }
    return accepted(
        SpecField.RANKS,
        () ->
            ranks instanceof RankLayout.GivenRanks given
                ? new RankList(given.numbers())
                : RankList.parse(ranks.label()));
  }

  /**
   * How ranks are split into communicators.
   *
   * @throws SpecException if the text states no such rule
   */
  public static GroupRule rule(String text) {
    return accepted(SpecField.SPLIT, () -> GroupRule.parse(text));
  }

  private static <T> T accepted(SpecField field, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new SpecException(field, e, ": %s", e.getMessage());
    }
  }

  private void noteMissingPorts(List<Hosts> hosts, ResolvedJob job) {
    Map<String, Machine> byName = new LinkedHashMap<>();
    for (int m = 0; m < hosts.size(); m++) {
      byName.putIfAbsent(names(hosts.get(m)), job.whole().machines().get(m));
    }
    missingPorts.note(byName, job.nodes()).ifPresent(notes);
  }

  private static String names(Hosts hosts) {
    return hosts.files().stream().map(Path::toString).distinct().collect(Collectors.joining(", "));
  }

  private static List<Path> firsts(List<Hosts> machines) {
    return machines.stream().map(hosts -> hosts.files().get(0)).toList();
  }

  private static List<JobPart> split(
      List<Hosts> hosts, Job job, GroupRule groups, JobMachines machines) {
    accepted(SpecField.SPLIT, () -> groups.groups(job.nRanks()));
    return new JobSplitter(job, (machine, gpus) -> machines.some(hosts.get(machine), gpus))
        .parts(groups).stream()
            .map(
                part ->
                    part.named(
                        firsts(part.machines().stream().map(hosts::get).toList()),
                        title(part, hosts)))
            .toList();
  }

  /** The name of the hosts of a part if NVLink joins some of them; otherwise empty. */
  private static String title(JobPart part, List<Hosts> hosts) {
    List<Path> files = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int m = 0; m < part.machines().size(); m++) {
      List<Path> joined = hosts.get(part.machines().get(m)).files();
      int size = part.job().machines().get(m).topology().nHosts();
      boolean isEqual = joined.stream().distinct().count() == 1;
      files.addAll(isEqual && joined.size() > 1 ? joined.subList(0, size) : joined);
      sizes.add(size);
    }
    return sizes.stream().allMatch(size -> size == 1)
        ? ""
        : "%s in NVLink domains of %s"
            .formatted(
                MachineName.of(files),
                sizes.stream().distinct().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /**
   * A job whose machines were read.
   *
   * @param whole the machines of all ranks
   * @param parts its communicators, equal ones once; one, unless it is split
   * @param sharesHosts whether communicators with several ranks each share a host
   */
  public record ResolvedJob(Job whole, List<JobPart> parts, boolean sharesHosts) {
    public ResolvedJob {
      parts = List.copyOf(parts);
    }

    /** The topologies of the machines of its communicators, by their files. */
    public Map<Path, Topology> topologies() {
      Map<Path, Topology> topologies = new LinkedHashMap<>();
      parts.forEach(part -> part.topologies().forEach(topologies::putIfAbsent));
      return topologies;
    }

    /** The nodes of its largest communicator. */
    public int nodes() {
      return parts.stream().mapToInt(part -> part.job().machines().size()).max().orElse(0);
    }
  }

  /**
   * Notes, once per machine, that it has no network port although the job has several nodes. NCCL
   * adds the ports that its network plugin reports when it starts ({@code
   * nccl:src/graph/topo.cc#ncclTopoProcessNet}: InfiniBand, else sockets), and does not start
   * without any; a search without ports ends in its last resort ({@code
   * nccl:src/graph/search.cc#ncclTopoCompute}).
   */
  public static final class MissingPorts {
    private final Set<String> noted = new LinkedHashSet<>();

    /**
     * A note on the machines without ports; empty if there are none or all were noted before.
     *
     * @param machines the machines of a job by their names in messages
     * @param nodes the number of nodes of the job
     */
    public Optional<SpecText> note(Map<String, Machine> machines, int nodes) {
      List<String> without = new ArrayList<>();
      if (nodes > 1) {
        machines.forEach(
            (name, machine) -> {
              if (machine.topology().nets().isEmpty() && noted.add(name)) {
                without.add(name);
              }
            });
      }
      return without.isEmpty()
          ? Optional.empty()
          : Optional.of(
              SpecText.of(
                  "note: %s %s no network port (<net>): 0.1 GB/s between nodes is assumed, the last"
                      + " resort of NCCL's search; NCCL itself adds the ports it finds at run time,"
                      + " InfiniBand or else IP interfaces: specify them with %s"
                      + " gpu=MODEL,net=MBIT_PER_SECOND, or with 'add net:NAME to PLACE"
                      + " speed=MBIT_PER_SECOND' in topo whatif",
                  String.join(", ", without),
                  without.size() == 1 ? "has" : "have",
                  SpecField.ASSUME));
    }
  }
}
