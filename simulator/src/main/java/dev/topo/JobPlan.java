package dev.topo;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.tuning.EnablingRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.verdict.FindingCost;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * All that a job follows from.
 *
 * @param machine the machine, of which all nodes are
 * @param spec the job, whose only file is that machine
 * @param group which communicator of a split it is; empty for all ranks
 */
record JobPlan(MachineDocument machine, JobSpec spec, Optional<Group> group) {
  /** More hosts than NVLink joins. */
  private static final int MOST_HOSTS = 1000;

  /**
   * A communicator of a split.
   *
   * @param rule the split, in the words of NCCL_TESTS_SPLIT
   * @param part its machines, by the rules and settings under which it was split
   */
  record Group(String rule, int color, JobPart part) {}

  /**
   * Checks the settings by the rules.
   *
   * @throws SettingException if NCCL would not start with them
   */
  JobPlan {
    EnablingRules.check(spec.rules().profile(), spec.settings());
  }

  /** A machine by itself, under the default rules and settings. */
  static JobPlan of(MachineDocument machine) {
    return new JobPlan(machine, JobSpec.of(machine.file(), 1), Optional.empty());
  }

  private JobPlan with(JobSpec other) {
    return new JobPlan(machine, other, group);
  }

  JobPlan withNodes(int count) {
    require(
        count >= 1 && count <= Job.MOST_MACHINES,
        () -> "nodes %d: expected 1 to %d".formatted(count, Job.MOST_MACHINES));
    require(
        group.isEmpty(),
        () ->
            "nodes %d: this is a group of a split, expected nodes before groups".formatted(count));
    return with(spec.withLayout(RankLayout.ofEqual(machine.file(), count)));
  }

  /** On NVLink domains of several hosts. */
  JobPlan joined(int hosts) {
    require(
        hosts >= 1 && hosts <= MOST_HOSTS,
        () -> "NVLink domain of %d hosts: expected 1 to %d".formatted(hosts, MOST_HOSTS));
    return hosts == 1 ? this : new JobPlan(machine.joined(hosts), spec, group);
  }

  JobPlan withGroup(Group chosen) {
    return new JobPlan(machine, spec, Optional.of(chosen));
  }

  JobPlan withRelease(String version) {
    NcclRelease release =
        NcclRelease.find(version)
            .orElseThrow(
                () ->
                    new SettingException(
                        "release '%s': expected a version such as 2.27.7".formatted(version)));
    require(
        release.compareTo(ReleaseRules.oldest()) >= 0,
        () -> "release %s: expected %s or newer".formatted(release, ReleaseRules.oldest()));
    return with(spec.withRules(ReleaseRules.of(release)));
  }

  JobPlan withSetting(String name, String value) {
    return with(spec.withSettings(spec.settings().with(NcclSettings.of(Map.of(name, value)))));
  }

  /** This plan with a calibration of the network, which is read once to see that it is one. */
  JobPlan withNetwork(String name, Inputs inputs) {
    TimeSpec times = spec.times().withNetwork(new TimeSpec.NamedFile(name, Path.of(name)));
    new TimeResolver(times, inputs, note -> {}).network();
    return with(spec.withTimes(times));
  }

  /** After edits, in the words of {@code topo whatif}. */
  JobPlan edited(String edits, Inputs inputs) {
    EditApplier applier =
        new EditApplier(
            file -> new XmlReader().readUnpacked(file, inputs),
            after -> machine.topology(after.root(), spec.gpus(), spec.rules().profile()));
    EditedMachine after =
        applier.apply(
            EditedMachine.of(machine.document(), spec.settings()),
            VariantReader.edits(List.of(edits), "edit "));
    return new JobPlan(
        machine.changed(after.machine()),
        spec.withRules(after.nccl().orElse(spec.rules())).withSettings(after.settings()),
        group);
  }

  /** The communicator: the group, or all ranks. */
  JobPart part(Inputs inputs) {
    if (group.isEmpty()) {
      return resolve(spec, inputs).parts().get(0);
    }
    Group of = group.get();
    Group found = parts(of.rule(), inputs).get(of.color());
    if (found == null) {
      throw new SettingException(
          "group %d: the split of %s has no such group"
              .formatted(
                  of.color(),
                  QuantityFormat.count(resolve(spec, inputs).whole().nRanks(), "rank")));
    }
    return found.part();
  }

  /** The communicators of a split, in the order of their colours; equal ones have one part. */
  List<Group> groups(String rule, Inputs inputs) {
    require(group.isEmpty(), () -> "groups " + rule + ": this is a group of a split already");
    try {
      return List.copyOf(parts(rule, inputs).values());
    } catch (SpecException e) {
      throw new SettingException("groups " + rule + e.problem(), e);
    }
  }

  private SortedMap<Integer, Group> parts(String rule, Inputs inputs) {
    SortedMap<Integer, Group> groups = new TreeMap<>();
    for (JobPart kind : resolve(spec.withLayout(spec.layout().withSplit(rule)), inputs).parts()) {
      kind.colors().forEach(color -> groups.put(color, new Group(rule, color, kind)));
    }
    return groups;
  }

  private ResolvedJob resolve(JobSpec job, Inputs inputs) {
    return new JobResolver(machine, inputs, note -> {}).resolve(job);
  }

  List<LintFinding> lint(JobEvaluator evaluator) {
    SourceText source = machine.source();
    return new FindingCost(Optional.empty(), spec.rules().profile(), evaluator, "all fixes")
        .add(source, new Linter(spec.rules().profile()).lint(source, FileKind.TOPOLOGY));
  }

  /** Fails with a message that has what was given and what was expected. */
  static void require(boolean holds, Supplier<String> message) {
    if (!holds) {
      throw new SettingException(message.get());
    }
  }

  /** {@code dgx-h100, 4 nodes, NCCL 2.28.9}. */
  @Override
  public String toString() {
    return "%s, %s, NCCL %s%s"
        .formatted(
            machine.name(),
            QuantityFormat.count(spec.layout().hosts().size(), "node"),
            spec.rules().release(),
            group.map(chosen -> ", group " + chosen.color()).orElse(""));
  }
}
