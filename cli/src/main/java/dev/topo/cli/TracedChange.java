package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.InputMachines;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.GroupEvaluator;
import dev.topo.simulator.workload.ParallelScale;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadComparison;
import java.nio.file.Path;
import java.util.function.BiFunction;

/**
 * A change to a traced job.
 *
 * @param change the edits, and the rule that scales the job
 * @param input reads the machines
 * @param file the topology of a node
 * @param nodes number of nodes after the change
 * @param rules the rules that the answer follows
 * @param evaluator evaluates a communicator by the rules of a release
 */
record TracedChange(
    WorkloadOptions change,
    InputMachines input,
    Path file,
    int nodes,
    ReleaseRules rules,
    BiFunction<Job, NcclProfile, JobResult> evaluator) {
  /** Predicts the calls after edits, by the rules of another release, or on more nodes. */
  WorkloadChange of(WorkloadComparison before, NcclSettings settings) {
    EditApplier applier =
        new EditApplier(
            input::document, document -> input.edited(document.root(), rules.profile()));
    EditedMachine unedited = EditedMachine.of(input.document(file), settings);
    EditedMachine after = change.accepted(() -> applier.apply(unedited, change.edits()));
    NcclProfile profile = after.nccl().orElse(rules).profile();
    Machine edited = new Machine(input.topology(after.seen(), profile), after.settings());
    Job changedJob = JobPart.ofEqual(edited, nodes).job();
    refuseIf(
        changedJob.nRanks() < before.workload().worldSize(),
        "--whatif %s: leaves %s ranks of the %s of the job"
            .formatted(change.title(), changedJob.nRanks(), before.workload().worldSize()));
    ParallelScale scale = change.scale(before.workload(), changedJob.nRanks());
    GroupEvaluator groups =
        new GroupEvaluator(
            changedJob,
            devices -> input.topology(after.seen().root(), GpuSelection.of(devices), profile),
            (part, nodesOfPart) -> evaluator.apply(part, profile),
            false);
    return new WorkloadChange(
        change.title(nodes, rules),
        before,
        WorkloadComparison.of(before.workload(), group -> groups.of(scale.ranks(group))));
  }
}
