package dev.topo.cli.option.job;

import dev.topo.cli.option.OptionValue;
import dev.topo.cli.stream.Streams;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.JobSplitter;
import dev.topo.model.job.Machine;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.RankSplit;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.MissingPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that make a job of machines: how many, which, and how their ranks split into
 * communicators.
 */
public final class JobOptions {
  /** More nodes than any job; keeps a slip from filling the memory. */
  private static final int MAX_NODES = 1_000_000;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of equal machines in the job (default: 1).")
  private @Nullable Integer nodes;

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
          "Split the ranks into communicators, as NCCL_TESTS_SPLIT: AND, OR, MOD or DIV and a number.")
  private @Nullable String split;

  @Option(
      names = "--nvlink-domain",
      paramLabel = "N",
      split = ",",
      description =
          "Number of nodes, in rank order, that NVLink joins to one (MNNVL): 18 for racks of 18 nodes; 18,17 for two that differ.")
  private List<Integer> domainSizes = new ArrayList<>();

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
   */
  public record JobPart(String label, List<Path> files, Job job, String domains) {
    /** Copies the list. */
    public JobPart {
      files = List.copyOf(files);
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

  /** Whether ranks are split into communicators. */
  public boolean hasSplit() {
    return split != null;
  }

  /** Whether communicators of the last job with several ranks each share a node. */
  public boolean hasSharedNodes() {
    return sharedNodes;
  }

  /** Whether the user gave the machines of the job. */
  public boolean isGiven() {
    return nodes != null || !nodeList.isEmpty();
  }

  /**
   * The files of the machines of a job, in rank order.
   *
   * @throws SettingException if they are to be joined to NVLink domains, which the caller cannot do
   */
  public List<Path> machines(List<Path> files) {
    if (!domainSizes.isEmpty()) {
      throw new SettingException(
          "--nvlink-domain: not supported by this command, expected FILE of a whole domain (NCCL_TOPO_DUMP_FILE of a job on it)");
    }
    return hosts(files);
  }

  private List<Path> hosts(List<Path> files) {
    int count = nodes == null ? 1 : nodes;
    if (count < 1 || count > MAX_NODES) {
      throw new SettingException("--nodes " + count + ": expected a number from 1 to " + MAX_NODES);
    }
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
      if (count >= 1 && count <= MAX_NODES) {
        return count;
      }
    } catch (NumberFormatException e) {
      // The message below says what was expected.
    }
    throw new SettingException(
        "--node " + entry + ": expected FILE or FILE*COUNT with a COUNT from 1 to " + MAX_NODES);
  }

  /**
   * The communicators of the job; one, unless it is split. Equal ones of a split are one with
   * several labels.
   */
  public List<JobPart> parts(
      List<Path> files,
      InputOptions input,
      NcclSettings settings,
      NcclProfile profile,
      Streams streams) {
    List<Path> hosts = hosts(files);
    List<List<Path>> machines = domains(hosts);
    Map<String, Machine> byFile = new LinkedHashMap<>();
    Job job =
        new Job(
            machines.stream()
                .map(
                    machine ->
                        byFile.computeIfAbsent(
                            machine.stream().map(Path::toString).collect(Collectors.joining(", ")),
                            key ->
                                new Machine(topology(machine, input, profile, streams), settings)))
                .toList());
    List<Path> first = machines.stream().map(machine -> machine.get(0)).toList();
    String domains =
        domainSizes.isEmpty() ? "" : MachineName.of(hosts) + " in NVLink domains of " + sizes();
    List<JobPart> parts =
        split == null
            ? List.of(new JobPart("", first, job, domains))
            : split(machines, job, split, input, profile, streams);
    String rule = split;
    sharedNodes = rule != null && JobSplitter.sharesMachines(job, rule(rule));
    int nodes = parts.stream().mapToInt(part -> part.job().machines().size()).max().orElse(0);
    missingPorts.note(byFile, nodes).ifPresent(streams::message);
    return parts;
  }

  private static Topology topology(
      List<Path> hosts, InputOptions input, NcclProfile profile, Streams streams) {
    return hosts.size() == 1
        ? input.topology(hosts.get(0), profile, streams)
        : input.domain(hosts, gpu -> true, profile, streams);
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
      List<List<Path>> hosts,
      Job job,
      String rule,
      InputOptions input,
      NcclProfile profile,
      Streams streams) {
    return JobSplitter.split(
            job,
            rule(rule),
            (machine, gpus) -> input.some(hosts.get(machine), gpus, profile, streams))
        .stream()
        .map(
            part ->
                new JobPart(
                    QuantityFormat.ranges(part.colors()),
                    part.machines().stream().map(hosts::get).map(files -> files.get(0)).toList(),
                    part.job(),
                    ""))
        .toList();
  }

  private static RankSplit rule(String text) {
    return OptionValue.accepted("--split: ", () -> RankSplit.parse(text));
  }
}
