package dev.topo.cli.option.job;

import dev.topo.cli.job.MachineName;
import dev.topo.cli.job.MissingPorts;
import dev.topo.cli.option.OptionValue;
import dev.topo.cli.output.Streams;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.JobSplitter;
import dev.topo.model.job.Machine;
import dev.topo.model.job.RankSplit;
import dev.topo.model.node.GpuNode;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.search.rules.NcclProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private final MissingPorts missingPorts = new MissingPorts();
  private boolean sharedNodes;

  /**
   * A communicator of a job.
   *
   * @param label which communicators of a split these are; empty for the whole job
   * @param files the files of its machines, in rank order
   * @param job its machines
   */
  public record JobPart(String label, List<Path> files, Job job) {
    /** Copies the list. */
    public JobPart {
      files = List.copyOf(files);
    }

    /** What to call its machines. */
    public String name() {
      return JobOptions.name(files);
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

  /** The files of the machines of a job, in rank order. */
  public List<Path> machines(List<Path> files) {
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
    List<Path> machines = machines(files);
    Map<String, Machine> byFile = new LinkedHashMap<>();
    Job job =
        new Job(
            machines.stream()
                .map(
                    file ->
                        byFile.computeIfAbsent(
                            file.toString(),
                            name -> new Machine(input.topology(file, profile, streams), settings)))
                .toList());
    List<JobPart> parts =
        split == null
            ? List.of(new JobPart("", machines, job))
            : split(machines, job, split, input, profile, streams);
    String rule = split;
    sharedNodes = rule != null && JobSplitter.sharesMachines(job, rule(rule));
    int nodes = parts.stream().mapToInt(part -> part.job().machines().size()).max().orElse(0);
    missingPorts.report(byFile, nodes, streams);
    return parts;
  }

  private static List<JobPart> split(
      List<Path> files,
      Job job,
      String rule,
      InputOptions input,
      NcclProfile profile,
      Streams streams) {
    return JobSplitter.split(
            job,
            rule(rule),
            (machine, gpus) ->
                input.topology(
                    files.get(machine), selection(files.get(machine), gpus), profile, streams))
        .stream()
        .map(
            part ->
                new JobPart(
                    QuantityFormat.ranges(part.colors()),
                    part.machines().stream().map(files::get).toList(),
                    part.job()))
        .toList();
  }

  private static RankSplit rule(String text) {
    return OptionValue.accepted("--split: ", () -> RankSplit.parse(text));
  }

  private static GpuSelection selection(Path file, List<GpuNode> gpus) {
    Set<Integer> devs = gpus.stream().map(GpuNode::dev).collect(Collectors.toSet());
    if (devs.size() < gpus.size()) {
      throw new SettingException(
          "--split: " + file + " has several GPUs with the same dev, expected one dev for each");
    }
    return GpuSelection.of(devs);
  }

  /** The machines of a job as text: {@code dgx-h100 x 4}. */
  public static String name(List<Path> machines) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < machines.size(); ) {
      int end = i;
      while (end < machines.size() && machines.get(end).equals(machines.get(i))) {
        end++;
      }
      parts.add(MachineName.of(machines.get(i)) + (end - i == 1 ? "" : " x " + (end - i)));
      i = end;
    }
    return String.join(" + ", parts);
  }
}
