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
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.Job;
import dev.topo.model.job.JobSplitter;
import dev.topo.model.job.JobSplitter.Part;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclRelease;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.JobMachines;
import dev.topo.search.topology.JobMachines.Hosts;
import dev.topo.search.tuning.EnablingRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.verdict.FindingCost;
import java.nio.file.Path;
import java.util.Collections;
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
 * @param nodes number of machines
 * @param group which communicator of a split it is; empty for all ranks
 * @param settings the settings of all processes
 * @param network the calibration of the network; empty for the one that fits the ports
 */
record JobPlan(
    MachineDocument machine,
    int nodes,
    Optional<Group> group,
    ReleaseRules rules,
    NcclSettings settings,
    Optional<NetworkCalibration> network) {
  /** More hosts than NVLink joins. */
  private static final int MOST_HOSTS = 1000;

  /**
   * A communicator of a split.
   *
   * @param job its machines, by the rules and settings under which it was split
   */
  record Group(GroupRule rule, int color, Job job) {}

  /**
   * Checks the settings by the rules.
   *
   * @throws SettingException if NCCL would not start with them
   */
  JobPlan {
    EnablingRules.check(rules.profile(), settings);
  }

  /** A machine by itself, under the default rules and settings. */
  static JobPlan of(MachineDocument machine) {
    return new JobPlan(
        machine,
        1,
        Optional.empty(),
        ReleaseRules.DEFAULT,
        NcclSettings.DEFAULTS,
        Optional.empty());
  }

  JobPlan withNodes(int count) {
    require(
        count >= 1 && count <= Job.MOST_MACHINES,
        () -> "nodes %d: expected 1 to %d".formatted(count, Job.MOST_MACHINES));
    require(
        group.isEmpty(),
        () ->
            "nodes %d: this is a group of a split, expected nodes before groups".formatted(count));
    return new JobPlan(machine, count, group, rules, settings, network);
  }

  /** On NVLink domains of several hosts. */
  JobPlan joined(int hosts) {
    require(
        hosts >= 1 && hosts <= MOST_HOSTS,
        () -> "NVLink domain of %d hosts: expected 1 to %d".formatted(hosts, MOST_HOSTS));
    return hosts == 1
        ? this
        : new JobPlan(machine.joined(hosts), nodes, group, rules, settings, network);
  }

  JobPlan withGroup(Group chosen) {
    return new JobPlan(machine, nodes, Optional.of(chosen), rules, settings, network);
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
    return new JobPlan(machine, nodes, group, ReleaseRules.of(release), settings, network);
  }

  JobPlan withSetting(String name, String value) {
    NcclSettings merged = settings.with(NcclSettings.of(Map.of(name, value)));
    return new JobPlan(machine, nodes, group, rules, merged, network);
  }

  JobPlan withNetwork(String name, Inputs inputs) {
    try {
      NetworkCalibration calibration = NetworkFile.named(name, Path.of(name), inputs);
      return new JobPlan(machine, nodes, group, rules, settings, Optional.of(calibration));
    } catch (IllegalArgumentException e) {
      throw new SettingException("network " + e.getMessage(), e);
    }
  }

  /** After edits, in the words of {@code topo whatif}. */
  JobPlan edited(String edits, Inputs inputs) {
    EditApplier applier =
        new EditApplier(
            file -> new XmlReader().readUnpacked(file, inputs),
            after -> machine.topology(after.root(), GpuSelection.ALL, rules.profile()));
    EditedMachine after =
        applier.apply(
            EditedMachine.of(machine.document(), settings),
            VariantReader.edits(List.of(edits), "edit "));
    return new JobPlan(
        machine.changed(after.machine()),
        nodes,
        group,
        after.nccl().orElse(rules),
        after.settings(),
        network);
  }

  /** The machines in rank order: of the group, or of all ranks. */
  Job job() {
    return group.map(this::job).orElseGet(() -> whole(machines()));
  }

  private Job job(Group of) {
    Group group = parts(of.rule()).get(of.color());
    if (group == null) {
      throw new SettingException(
          "group %d: the split of %s has no such group"
              .formatted(of.color(), QuantityFormat.count(whole(machines()).nRanks(), "rank")));
    }
    return group.job();
  }

  /** The communicators of a split, in the order of their colours; equal ones have one job. */
  List<Group> groups(String text) {
    require(group.isEmpty(), () -> "groups " + text + ": this is a group of a split already");
    try {
      return List.copyOf(parts(GroupRule.parse(text)).values());
    } catch (IllegalArgumentException e) {
      throw new SettingException("groups " + text + ": " + e.getMessage(), e);
    }
  }

  private SortedMap<Integer, Group> parts(GroupRule rule) {
    JobMachines machines = machines();
    SortedMap<Integer, Group> parts = new TreeMap<>();
    for (Part kind :
        JobSplitter.split(whole(machines), rule, (place, gpus) -> machines.some(hosts(), gpus))) {
      for (int color : kind.colors()) {
        parts.put(color, new Group(rule, color, kind.job()));
      }
    }
    return parts;
  }

  private JobMachines machines() {
    return new JobMachines(machine, GpuSelection.ALL, settings, rules.profile());
  }

  private Job whole(JobMachines machines) {
    return machines.job(Collections.nCopies(nodes, hosts()));
  }

  private Hosts hosts() {
    return Hosts.all(List.of(machine.file()));
  }

  List<LintFinding> lint(JobEvaluator evaluator) {
    SourceText source = machine.source();
    return new FindingCost(Optional.empty(), rules.profile(), evaluator)
        .add(source, new Linter(rules.profile()).lint(source, FileKind.TOPOLOGY));
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
            QuantityFormat.count(nodes, "node"),
            rules.release(),
            group.map(chosen -> ", group " + chosen.color()).orElse(""));
  }
}
