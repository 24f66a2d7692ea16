package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.Job;
import dev.topo.model.job.JobSplitter;
import dev.topo.model.job.Machine;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.RankList;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.HostTopologies;
import dev.topo.search.topology.JobMachines;
import dev.topo.search.topology.JobMachines.Hosts;
import dev.topo.simulator.evaluate.MissingPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that make a job of machines: how many, which, and how their ranks split into
 * communicators.
 */
public final class JobOptions {
  @Option(
      names = "--nodes",
      paramLabel = "N[,N...]",
      description = "Number of equal machines in the job (default: 1).")
  private @Nullable String nodes;

  @Option(
      names = "--node",
      paramLabel = "FILE[*COUNT]",
      description =
          "Machines of the job in rank order, instead of FILE and --nodes; may be repeated.")
  private List<String> nodeList = new ArrayList<>();

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

  @Option(
      names = "--ranks",
      paramLabel = "LIST|FILE",
      description =
          "Take these ranks in this order: 0-15/4,1-15/4 is 0, 4, 8, 12, 1, 5, 9, 13; or a FILE with such a list.")
  private @Nullable String ranks;

  private final MissingPorts missingPorts = new MissingPorts();
  private boolean sharedNodes;

  /**
   * A communicator of a job.
   *
   * @param label which communicators of a split these are; empty for the whole job
   * @param files the files of its machines, in rank order; of an NVLink domain that of its first
   *     host
   * @param job its machines
   * @param domains what is joined to NVLink domains, for people; empty if nothing
   * @param whole the job that it is a part of
   * @param places for each of these communicators the places of its machines in the whole job
   */
  public record JobPart(
      String label,
      List<Path> files,
      Job job,
      String domains,
      Job whole,
      List<List<Integer>> places) {
    /** Copies the lists. */
    public JobPart {
      files = List.copyOf(files);
      places = List.copyOf(places);
    }

    /** What to call its machines. */
    public String name() {
      return domains.isEmpty() ? MachineName.of(files) : domains;
    }

    /** What to call the machine of a rank. */
    public String machineOf(int rank) {
      int machine = 0;
      for (int next = job.machines().get(0).nRanks(); rank >= next; machine++) {
        next += job.machines().get(machine + 1).nRanks();
      }
      return MachineName.of(files.get(machine));
    }

    /** Label and name in one. */
    public String title() {
      return (label.isEmpty() ? "" : "communicator " + label + " · ") + name();
    }
  }

  /** Whether the nodes are listed with {@code --node}. */
  public boolean hasNodeList() {
    return !nodeList.isEmpty();
  }

  /** Notes for the caveats of an answer what the job states of NVLink domains. */
  public void state(CaveatCollector caveats) {
    if (hasDomains()) {
      caveats.domainsAreStated();
    }
  }

  /** Whether ranks have another order, or only some take part. */
  public boolean hasRanks() {
    return ranks != null;
  }

  /** Whether the user states which nodes NVLink joins. */
  public boolean hasDomains() {
    return !domainSizes.isEmpty();
  }

  /** Whether ranks are split into communicators. */
  public boolean hasSplit() {
    return split != null;
  }

  /** How ranks are split into communicators; empty if they are not. */
  public Optional<GroupRule> splitRule() {
    return Optional.ofNullable(split).map(JobOptions::rule);
  }

  /** Whether communicators of the last job with several ranks each share a node. */
  public boolean hasSharedNodes() {
    return sharedNodes;
  }

  /** Whether the user gave the machines of the job. */
  public boolean isGiven() {
    return nodes != null || !nodeList.isEmpty() || !domainSizes.isEmpty() || ranks != null;
  }

  /**
   * The files of the machines of a job, in rank order, for edits: each machine is one host, or an
   * NVLink domain of as many as {@link #domainSize}.
   *
   * @throws SettingException if a domain has hosts of several files, or ranks have another order
   */
  public List<Path> machines(List<Path> files) {
    if (ranks != null) {
      throw new SettingException(
          "--ranks: expected ranks in order, for which variants are compared");
    }
    return domains(hosts(files)).stream()
        .map(
            domain -> {
              if (domain.stream().distinct().count() > 1) {
                throw new SettingException(
                    "--nvlink-domain %s: expected domains of equal nodes, or FILE of a whole domain"
                        .formatted(sizes()));
              }
              return domain.get(0);
            })
        .toList();
  }

  /**
   * The hosts of each NVLink domain; 1 without any.
   *
   * @throws SettingException if domains differ
   */
  public int domainSize() {
    if (domainSizes.stream().distinct().count() > 1) {
      throw new SettingException(
          "--nvlink-domain %s: expected one number for all domains, or FILE of a whole domain"
              .formatted(sizes()));
    }
    return domainSizes.isEmpty() ? 1 : domainSizes.get(0);
  }

  /** What to call the machines of a whole job. */
  public String name(List<Path> files) {
    List<Path> hosts = hosts(files);
    String title = title(hosts);
    return title.isEmpty() ? MachineName.of(hosts) : title;
  }

  /** What to call the machines of {@link #machines}. */
  public String nameOf(List<Path> machines) {
    int size = domainSize();
    List<Path> hosts = new ArrayList<>();
    machines.forEach(machine -> hosts.addAll(Collections.nCopies(size, machine)));
    return MachineName.of(hosts) + (size == 1 ? "" : " in NVLink domains of " + size);
  }

  /** The numbers of nodes, in ascending order: one, unless the user asks for a comparison. */
  public List<Integer> counts() {
    return nodes == null ? List.of(1) : NodeCounts.parse(nodes);
  }

  /** The same options for one number of nodes. */
  public JobOptions at(int count) {
    JobOptions options = new JobOptions();
    options.nodes = String.valueOf(count);
    options.nodeList = nodeList;
    options.split = split;
    options.domainSizes = domainSizes;
    options.ranks = ranks;
    return options;
  }

  /** The same options for some of the ranks, in the order of their communicator. */
  public JobOptions of(List<Integer> members) {
    JobOptions options = new JobOptions();
    options.nodes = nodes;
    options.nodeList = nodeList;
    options.domainSizes = domainSizes;
    options.ranks = members.stream().map(String::valueOf).collect(Collectors.joining(","));
    return options;
  }

  /** What to call each machine of the job; an NVLink domain is one machine. */
  public List<String> machineNames(List<Path> files) {
    return domains(hosts(files)).stream().map(MachineName::of).toList();
  }

  /** The files of the nodes of a job, in rank order, whether or not NVLink joins them. */
  public List<Path> hosts(List<Path> files) {
    List<Integer> counts = counts();
    if (counts.size() > 1) {
      throw new SettingException(
          "--nodes %s: expected one number; topo predict and topo chart --scaling take several"
              .formatted(nodes));
    }
    int count = counts.get(0);
    if (nodeList.isEmpty()) {
      if (files.size() != 1) {
        throw new SettingException(
            "expected one FILE, or --node FILE[*COUNT] for machines that differ");
      }
      return Collections.nCopies(count, files.get(0));
    }
    if (!files.isEmpty() || nodes != null) {
      throw new SettingException(
          "--node cannot be combined with FILE or --nodes: name each machine once, as in --node FILE*4");
    }
    List<Path> machines = new ArrayList<>();
    for (String entry : nodeList) {
      int star = entry.lastIndexOf('*');
      int copies = star < 0 ? 1 : count(entry, entry.substring(star + 1));
      Path file = Streams.file(star < 0 ? entry : entry.substring(0, star));
      machines.addAll(Collections.nCopies(copies, file));
    }
    return machines;
  }

  private static int count(String entry, String text) {
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= NodeCounts.MAX) {
        return count;
      }
    } catch (NumberFormatException e) {
      // The message below says what was expected.
    }
    throw new SettingException(
        "--node "
            + entry
            + ": expected FILE or FILE*COUNT with a COUNT from 1 to "
            + NodeCounts.MAX);
  }

  /**
   * The communicators of the job; one, unless it is split. Equal ones of a split are one with
   * several labels.
   */
  public List<JobPart> parts(
      List<Path> files,
      InputMachines input,
      NcclSettings settings,
      NcclProfile profile,
      Streams streams) {
    List<Path> hosts = hosts(files);
    JobMachines machines = new JobMachines(input, input.selection(), settings, profile);
    List<Hosts> usual = domains(hosts).stream().map(Hosts::all).toList();
    List<Hosts> inOrder =
        ranks == null ? usual : inOrder(machines, usual, rankList(ranks, input.inputs()));
    Job job = machines.job(inOrder);
    List<JobPart> parts =
        split == null
            ? List.of(
                new JobPart(
                    "",
                    firsts(inOrder),
                    job,
                    title(hosts),
                    job,
                    List.of(IntStream.range(0, inOrder.size()).boxed().toList())))
            : split(inOrder, job, split, machines);
    String rule = split;
    sharedNodes = rule != null && JobSplitter.sharesHosts(job, rule(rule));
    int nodes = parts.stream().mapToInt(part -> part.job().machines().size()).max().orElse(0);
    Map<String, Machine> byName = new LinkedHashMap<>();
    for (int m = 0; m < inOrder.size(); m++) {
      byName.putIfAbsent(names(inOrder.get(m)), job.machines().get(m));
    }
    missingPorts.note(byName, nodes).ifPresent(streams::message);
    return parts;
  }

  private static List<Hosts> inOrder(JobMachines machines, List<Hosts> usual, RankList ranks) {
    return OptionValue.accepted("--ranks: ", () -> machines.inOrder(usual, ranks));
  }

  private static String names(Hosts hosts) {
    return hosts.files().stream().map(Path::toString).distinct().collect(Collectors.joining(", "));
  }

  private static List<Path> firsts(List<Hosts> machines) {
    return machines.stream().map(hosts -> hosts.files().get(0)).toList();
  }

  private String title(List<Path> hosts) {
    String order = ranks == null ? "" : ", ranks " + ranks;
    if (domainSizes.isEmpty()) {
      return order.isEmpty() ? "" : MachineName.of(hosts) + order;
    }
    return MachineName.of(hosts) + " in NVLink domains of " + sizes() + order;
  }

  private static RankList rankList(String text, Inputs inputs) {
    return RankList.isList(text)
        ? OptionValue.accepted("--ranks: ", () -> RankList.parse(text))
        : RankList.read(Streams.file(text), inputs);
  }

  private String sizes() {
    return domainSizes.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** The hosts of each machine of the job: one, or those of an NVLink domain. */
  private List<List<Path>> domains(List<Path> hosts) {
    if (domainSizes.isEmpty()) {
      return hosts.stream().map(List::of).toList();
    }
    List<List<Path>> domains = new ArrayList<>();
    int joined = 0;
    while (joined < hosts.size()) {
      int size = domainSizes.get(Math.min(domains.size(), domainSizes.size() - 1));
      if (size < 1 || joined + size > hosts.size()) {
        throw new SettingException(
            "--nvlink-domain %s: expected numbers that add up to the %s nodes of the job"
                .formatted(sizes(), hosts.size()));
      }
      domains.add(hosts.subList(joined, joined + size));
      joined += size;
    }
    return domains;
  }

  private static List<JobPart> split(
      List<Hosts> hosts, Job job, String rule, JobMachines machines) {
    GroupRule groups = rule(rule);
    OptionValue.accepted("--split: ", () -> groups.groups(job.nRanks()));
    return JobSplitter.split(
            job, groups, (machine, gpus) -> machines.some(hosts.get(machine), gpus))
        .stream()
        .map(
            part ->
                new JobPart(
                    QuantityFormat.ranges(part.colors()),
                    part.machines().stream().map(hosts::get).map(of -> of.files().get(0)).toList(),
                    part.job(),
                    title(part, hosts),
                    job,
                    part.places()))
        .toList();
  }

  /** The hosts of a part where NVLink joins some of them, otherwise nothing. */
  private static String title(JobSplitter.Part part, List<Hosts> hosts) {
    List<Path> files = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int m = 0; m < part.machines().size(); m++) {
      List<Path> joined = hosts.get(part.machines().get(m)).files();
      int size = (int) HostTopologies.count(part.job().machines().get(m).topology());
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

  private static GroupRule rule(String text) {
    return OptionValue.accepted("--split: ", () -> GroupRule.parse(text));
  }
}
