package dev.topo.cli;

import dev.topo.cli.job.MachineName;
import dev.topo.cli.option.job.InputOptions;
import dev.topo.cli.output.Streams;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.caveat.CaveatJob;
import dev.topo.inspect.caveat.CaveatJob.Subject;
import dev.topo.model.Topology;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingScope;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.ReleaseRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Collects the caveats of an answer, and reports the settings that matter neither to it. */
final class AnswerCaveats {
  private static final String TOPO_FILE = "NCCL_TOPO_FILE";

  private final InputOptions input;
  private final Supplier<ReleaseRules> rules;
  private final Streams streams;
  private final List<Caveat> caveats = new ArrayList<>();
  private final Set<String> noted = new HashSet<>();

  AnswerCaveats(InputOptions input, Supplier<ReleaseRules> rules, Streams streams) {
    this.input = input;
    this.rules = rules;
    this.streams = streams;
  }

  /** The caveats so far, equal ones once. */
  List<Caveat> list() {
    return CaveatFinder.grouped(caveats);
  }

  /** Forgets all, for the next answer. */
  void clear() {
    caveats.clear();
  }

  /** Adds caveats that were found elsewhere. */
  void add(List<Caveat> more) {
    caveats.addAll(more);
  }

  /** Adds those of a machine, whatever the job. */
  void addMachine(Path file, Topology topology, NcclSettings settings) {
    add(
        new CaveatJob(
            List.of(subject(file, topology)), 1, CaveatJob.Scope.MACHINE, settings, rules.get()));
  }

  /**
   * Adds those of a job.
   *
   * @param machines the topologies of its machines by file
   * @param nodes nodes of its largest communicator
   * @param isShared whether several communicators are on one node
   */
  void addJob(Map<Path, Topology> machines, int nodes, boolean isShared, NcclSettings settings) {
    Map<Path, Subject> subjects = new LinkedHashMap<>();
    machines.forEach((file, topology) -> subjects.put(file, subject(file, topology)));
    settings
        .text(TOPO_FILE)
        .map(Path::of)
        .ifPresent(
            declared ->
                machines.values().stream()
                    .limit(1)
                    .forEach(
                        topology ->
                            subjects.putIfAbsent(
                                declared,
                                subject(
                                    declared, topology, new XmlReader().read(declared).root()))));
    add(
        new CaveatJob(
            List.copyOf(subjects.values()),
            nodes,
            isShared ? CaveatJob.Scope.SHARED_NODES : CaveatJob.Scope.COMMUNICATOR,
            settings,
            rules.get()));
  }

  /** Adds those of a communicator of some machines. */
  void add(List<Subject> machines, int nodes, NcclSettings settings) {
    add(new CaveatJob(machines, nodes, CaveatJob.Scope.COMMUNICATOR, settings, rules.get()));
  }

  /** Adds those of a job, and reports its other settings that have no effect. */
  private void add(CaveatJob job) {
    caveats.addAll(CaveatFinder.find(job));
    Set<SettingScope> scopes = EnumSet.allOf(SettingScope.class);
    scopes.removeIf(scope -> scope.isModelled() || scope == SettingScope.NO_INFLUENCE);
    for (String name : job.settings().names(scopes)) {
      if (!name.equals(TOPO_FILE) && !CaveatFinder.isMarkedBy(job, name) && noted.add(name)) {
        streams.message("note: " + name + " ignored: no effect on this answer");
      }
    }
  }

  /** A machine as its file describes it. */
  Subject subject(Path file, Topology topology) {
    return subject(file, topology, input.document(file).root());
  }

  private Subject subject(Path file, Topology topology, XmlElement system) {
    return new Subject(MachineName.of(file), topology, system, input.statesNoNvlink());
  }
}
