package dev.topo.simulator.variant;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.caveat.CaveatJob.Subject;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecText;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.calibration.SelectedCalibration;
import dev.topo.simulator.evaluate.DeclaredGpuCheck;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.MissingPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** Puts edited machines into a job: in the places of the file that the edits are about. */
public final class EditedJob {
  private final Path edited;
  private final List<Path> files;
  private final int editedNodes;
  private final Sources sources;
  private final ReleaseRules rules;
  private final MissingPorts missingPorts = new MissingPorts();
  private final CaveatCollector caveats;
  private final Consumer<SpecText> notes;
  private Optional<Subject> unedited = Optional.empty();
  private boolean editedReported;
  private boolean declaredReported;

  /**
   * The sources of a job.
   *
   * @param files reads the topology of a file under the rules of a version
   * @param documents reads that of a document, which need not be in a file
   * @param calibrations the calibration for a machine
   */
  public record Sources(
      BiFunction<Path, NcclProfile, Topology> files,
      BiFunction<XmlDocument, NcclProfile, Topology> documents,
      Function<Topology, SelectedCalibration> calibrations,
      JobEvaluator evaluator) {}

  /**
   * A job.
   *
   * @param edited the file that the edits are about
   * @param files the files of all machines in rank order
   * @param editedNodes how many of the machines of that file are edited; empty for all
   * @param rules the rules of NCCL where no edit names others
   * @param caveats collects what is not modelled for the job
   * @param notes takes the notes on its machines
   * @throws SpecException if there are not that many machines of that file
   */
  public EditedJob(
      Path edited,
      List<Path> files,
      Optional<Integer> editedNodes,
      Sources sources,
      ReleaseRules rules,
      CaveatCollector caveats,
      Consumer<SpecText> notes) {
    int there = (int) files.stream().filter(file -> isSame(file, edited)).count();
    if (there == 0) {
      throw new SpecException(
          SpecField.NODE, ": none is %s, expected FILE among the machines of the job", edited);
    }
    this.editedNodes = editedNodes.orElse(there);
    if (this.editedNodes < 1 || this.editedNodes > there) {
      throw new SpecException(
          SpecField.EDITED_NODES,
          " %s: expected 1 to %s, the nodes that are %s",
          this.editedNodes,
          there,
          edited);
    }
    this.edited = edited;
    this.files = files;
    this.sources = sources;
    this.rules = rules;
    this.caveats = caveats;
    this.notes = notes;
  }

  private static boolean isSame(Path a, Path b) {
    return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize());
  }

  /** A job with an edited machine before its evaluation, which several threads may do at once. */
  public record Prepared(String name, int node, JobRequest request) {
    public WhatIfOutcome evaluated(JobEvaluator evaluator) {
      return new WhatIfOutcome(name, node, evaluator.evaluate(request));
    }
  }

  /** The job with a machine after edits. The settings are those of all nodes. */
  public WhatIfOutcome outcome(String name, EditedMachine after) {
    return prepared(name, after).evaluated(sources.evaluator());
  }

  /** The job with a machine after edits. Notes and caveats on it are reported here. */
  public Prepared prepared(String name, EditedMachine after) {
    NcclSettings settings = after.settings();
    ReleaseRules followed = after.nccl().orElse(rules);
    NcclProfile profile = followed.profile();
    caveats.add(CaveatFinder.ofRelease(followed));
    Machine machine = new Machine(sources.documents().apply(after.seen(), profile), settings);
    Optional<Machine> actual =
        after
            .declared()
            .map(
                ignored ->
                    new Machine(sources.documents().apply(after.machine(), profile), settings));
    actual.ifPresent(
        there ->
            DeclaredGpuCheck.requireEqual(
                there.nRanks(),
                file(after.machine()),
                machine.nRanks(),
                "the declared machine (" + file(after.seen()) + ")"));
    Map<String, Machine> others = new LinkedHashMap<>();
    List<Machine> machines = new ArrayList<>();
    int left = editedNodes;
    for (Path file : files) {
      if (isSame(file, edited) && left > 0) {
        machines.add(machine);
        left--;
      } else {
        machines.add(
            others.computeIfAbsent(
                file.toString(),
                other -> new Machine(sources.files().apply(file, profile), settings)));
      }
    }
    reportMissingPorts(name, machine, others, machines.size());
    addCaveats(after, machine, others, machines.size());
    if (actual.isPresent() && machines.size() > 1 && !declaredReported) {
      declaredReported = true;
      notes.accept(
          SpecText.of(
              "note: no calibration between nodes: busbw is that of NCCL's own model for the declared machine"));
    }
    JobRequest request = JobRequest.of(new Job(machines), profile, List.of()).withActual(actual);
    SelectedCalibration calibration = sources.calibrations().apply(request.actualTopology());
    return new Prepared(name, machines.indexOf(machine), request.withCalibration(calibration));
  }

  /** NVLinks are as the edits leave them, unless these take another machine. */
  private void addCaveats(
      EditedMachine after, Machine machine, Map<String, Machine> others, int nodes) {
    List<Subject> subjects = new ArrayList<>();
    Subject asRead = caveats.subject(edited, machine.topology());
    Subject seen =
        new Subject(
            MachineName.of(Path.of(file(after.seen()))),
            machine.topology(),
            after.seen().root(),
            asRead.isWired()
                || (unedited.isPresent() && isSame(Path.of(file(after.seen())), edited)));
    subjects.add(seen);
    others.forEach((file, other) -> subjects.add(caveats.subject(Path.of(file), other.topology())));
    caveats.add(subjects, nodes, after.settings());
    caveats.add(CaveatFinder.ofDomains(subjects, after.nccl().orElse(rules)));
    unedited.ifPresent(
        before -> caveats.add(CaveatFinder.ofChange(before, machine.topology(), nodes)));
    unedited = unedited.or(() -> Optional.of(seen));
  }

  private static String file(XmlDocument machine) {
    return machine.root().location().file();
  }

  /** Reported once for the edited machine: before the edits, or for the first variant. */
  private void reportMissingPorts(
      String name, Machine machine, Map<String, Machine> others, int nodes) {
    Map<String, Machine> named = new LinkedHashMap<>();
    if (!editedReported) {
      named.put(edited + (name.isEmpty() ? "" : " (" + name + ")"), machine);
      editedReported = machine.topology().nets().isEmpty();
    }
    others.forEach(named::putIfAbsent);
    missingPorts.note(named, nodes).ifPresent(notes);
  }
}
