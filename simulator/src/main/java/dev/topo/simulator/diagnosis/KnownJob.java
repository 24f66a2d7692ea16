package dev.topo.simulator.diagnosis;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The job of a run, as far as its files and the user state it.
 *
 * @param job the healthy job; empty if the machine or the number of ranks is unknown
 * @param nodes number of nodes, if known
 * @param isReleaseKnown whether the files or the user state the NCCL release
 * @param isLayoutKnown whether the number of GPUs per process is known
 * @param basis known facts and assumptions, in words
 */
record KnownJob(
    Optional<DiagnosedJob> job,
    OptionalInt nodes,
    boolean isReleaseKnown,
    boolean isLayoutKnown,
    List<SpecText> basis) {
  KnownJob {
    basis = List.copyOf(basis);
  }

  /**
   * Determines the job of a run.
   *
   * @throws TopologyFormatException if a stated machine has fewer GPUs than the run has on a node,
   *     or the files and the user state different numbers of nodes
   */
  static KnownJob of(DiagnosisInput input, RunFacts facts, RunMeasurements measured) {
    List<SpecText> basis = new ArrayList<>();
    OptionalInt ranks =
        measured.ranks().isEmpty() ? facts.ranks() : OptionalInt.of(measured.ranks().get(0));
    Optional<ReleaseRules> runRules =
        measured.runs().stream()
            .flatMap(run -> run.origin().rules().stream())
            .findFirst()
            .or(() -> release(facts));
    Set<String> stated = new LinkedHashSet<>(facts.values(LineKind.VERSION, 0));
    measured.runs().forEach(run -> stated.addAll(run.origin().versions()));
    if (input.rules().isEmpty() && runRules.isEmpty() && !stated.isEmpty()) {
      SpecText unknown =
          SpecText.of(
              "ran NCCL %s, which has no rules here: expected %s or newer, or %s of the release to compare with",
              String.join(" and ", stated), ReleaseRules.oldest(), SpecField.RELEASE);
      if (!measured.runs().isEmpty()) {
        throw new TopologyFormatException(SourceLocation.of(measured.file()), unknown);
      }
      basis.add(unknown);
    }
    ReleaseRules rules = input.rules().or(() -> runRules).orElse(ReleaseRules.DEFAULT);
    Optional<XmlDocument> machine = input.machine();
    NodeCount count =
        NodeCount.of(
            input,
            facts,
            measured,
            machine.map(document -> hosts(document, input.gpus(), rules)).orElse(1));
    OptionalInt knownNodes = count.nodes();
    basis.addAll(count.notes());
    if (machine.isEmpty()) {
      Optional<AssumedMachine> assumed = assumed(facts, ranks, knownNodes);
      assumed.ifPresent(known -> basis.add(known.words()));
      machine = assumed.map(AssumedMachine::document);
    }
    ranks = firstPresent(ranks, allGpus(input, facts));
    if (machine.isEmpty() || ranks.isEmpty()) {
      basis.add(
          machine.isEmpty()
              ? noMachine(facts, ranks, knownNodes)
              : SpecText.of(
                  "number of GPUs not known: %s N, or output with the list of ranks",
                  SpecField.NODES));
      return new KnownJob(Optional.empty(), knownNodes, runRules.isPresent(), true, basis);
    }
    int gpus = gpus(machine.get(), input.gpus(), rules);
    int nodes = knownNodes.orElse((ranks.getAsInt() + gpus - 1) / gpus);
    int perNode = perNode(ranks, OptionalInt.of(nodes));
    if (input.machine().isPresent() && perNode > gpus) {
      throw new TopologyFormatException(
          SourceLocation.of(input.texts().get(0).name()),
          SpecText.of(
              "%d ranks on %s need %d GPUs of each, %s has %d: expected the machine and %s of the run",
              ranks.getAsInt(),
              QuantityFormat.count(nodes, "node"),
              perNode,
              SpecField.MACHINE,
              gpus,
              SpecField.NODES));
    }
    if (perNode * nodes != ranks.getAsInt()) {
      basis.add(
          SpecText.of(
              "%d ranks are not equally many on each of %d nodes: expected times are those of %d on each",
              ranks.getAsInt(), nodes, perNode));
    }
    GpuSelection selection =
        perNode < gpus && input.gpus().devs().isEmpty() ? firstGpus(perNode) : input.gpus();
    OptionalInt perProcess = firstPresent(input.gpusPerProcess(), measured.gpusPerProcess());
    NcclSettings settings = settings(measured.runs()).with(input.settings());
    basis.add(
        SpecText.of(
            "%d GPUs on %s, NCCL %s%s",
            ranks.getAsInt(),
            QuantityFormat.count(nodes, "node"),
            rules.named(),
            runRules.isPresent() || input.rules().isPresent() ? "" : " (assumed)"));
    return new KnownJob(
        Optional.of(
            new DiagnosedJob(
                machine.get(),
                selection,
                nodes,
                settings,
                rules,
                Math.min(perNode, perProcess.orElse(1)))),
        OptionalInt.of(nodes),
        runRules.isPresent() || input.rules().isPresent(),
        perProcess.isPresent(),
        basis);
  }

  /**
   * The number of ranks if all GPUs of the stated machine take part, on each node; empty if the
   * user states no machine.
   */
  static OptionalInt allGpus(DiagnosisInput input, RunFacts facts) {
    int nodes = firstPresent(input.nodes(), facts.nodes()).orElse(1);
    return input.machine().stream()
        .mapToInt(machine -> nodes * gpus(machine, input.gpus(), ReleaseRules.DEFAULT))
        .findFirst();
  }

  private static OptionalInt firstPresent(OptionalInt one, OptionalInt other) {
    return one.isPresent() ? one : other;
  }

  private static GpuSelection firstGpus(int count) {
    Set<Integer> devs = IntStream.range(0, count).boxed().collect(Collectors.toSet());
    return GpuSelection.of(devs);
  }

  private static int gpus(XmlDocument machine, GpuSelection selection, ReleaseRules rules) {
    return topology(machine, selection, rules).gpus().size();
  }

  private static int hosts(XmlDocument machine, GpuSelection selection, ReleaseRules rules) {
    return Math.max(1, topology(machine, selection, rules).nHosts());
  }

  private static Topology topology(
      XmlDocument machine, GpuSelection selection, ReleaseRules rules) {
    return TopologySource.build(
        machine, UnknownElements.IGNORED, selection, rules.profile(), new Diagnostics());
  }

  private static SpecText noMachine(RunFacts facts, OptionalInt ranks, OptionalInt nodes) {
    int perNode = perNode(ranks, nodes);
    return facts.gpuNames().stream()
        .findFirst()
        .filter(name -> nodes.isPresent() && AssumedMachine.mostGpus(name) < perNode)
        .filter(name -> AssumedMachine.mostGpus(name) > 0)
        .map(
            name ->
                SpecText.of(
                    "%d ranks on %s need %d GPUs of each, machines with %s have %d: none is assumed, %s FILE states it",
                    ranks.orElse(1),
                    QuantityFormat.count(nodes.getAsInt(), "node"),
                    perNode,
                    name,
                    AssumedMachine.mostGpus(name),
                    SpecField.MACHINE))
        .orElse(
            SpecText.of(
                "no machine is known: causes are those that the log states; %s FILE states it",
                SpecField.MACHINE));
  }

  private static int perNode(OptionalInt ranks, OptionalInt nodes) {
    int count = Math.max(1, nodes.orElse(1));
    return (ranks.orElse(1) + count - 1) / count;
  }

  private static Optional<ReleaseRules> release(RunFacts facts) {
    return facts
        .first(LineKind.VERSION)
        .flatMap(line -> RunOrigin.ofVersion(line.value(0)).rules());
  }

  private static NcclSettings settings(List<MeasuredRun> runs) {
    NcclSettings merged = NcclSettings.DEFAULTS;
    for (MeasuredRun run : runs) {
      merged = merged.with(run.settings());
    }
    return merged;
  }

  private static Optional<AssumedMachine> assumed(
      RunFacts facts, OptionalInt ranks, OptionalInt nodes) {
    int perNode = perNode(ranks, nodes);
    Optional<Double> speed =
        facts
            .first(LineKind.NET_SPEED)
            .map(line -> Double.parseDouble(line.value(0)) * 8)
            .filter(gbps -> facts.ports().size() > 0);
    List<String> ports = List.copyOf(facts.ports());
    return facts.gpuNames().stream()
        .findFirst()
        .flatMap(name -> AssumedMachine.of(name, nodes.isPresent() ? perNode : 1, ports, speed));
  }
}
