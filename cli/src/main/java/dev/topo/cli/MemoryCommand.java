package dev.topo.cli;

import dev.topo.cli.SplitCommunicators.GroupedJob;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.measured.MeasuredMemory;
import dev.topo.inspect.measured.MeasuredMemoryReader;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.memory.GroupsModel;
import dev.topo.simulator.memory.JobGroupRequest;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryComparison;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.simulator.memory.SavingFinder;
import dev.topo.visualizer.structure.ComparedMemoryReport;
import dev.topo.visualizer.structure.MemoryReport;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo memory}: what NCCL takes of each GPU and host, by step and by part. */
@Command(
    name = "memory",
    description =
        "The memory that NCCL takes of each GPU and host before anything runs: by call, and by what takes it.",
    footer = {
      "",
      "Steps are calls in order, separated by commas: init; all_reduce 256 MiB and the other operations of topo predict, with",
      "registered or symmetric after the size; split, split share and split halves, and calls on these, as in split",
      "all_reduce 8 B; ncclMemAlloc 2 x 256 MiB; register; windows; windows off. Each step says what it adds.",
      "Buffers of the application, the CUDA context and the allocator of PyTorch are not NCCL's and not in the sum.",
      "svg and png are charts of the memory of a GPU by step.",
      "Exit status: 1 with --limit if NCCL takes more of a GPU, with --against if measured memory differs.",
      "",
      "Example: topo memory topologies/dgx-h100.xml --nodes 16",
      "Example: topo memory topologies/dgx-h100.xml --steps \"init,alltoall 256 MiB\" --limit 2G --savings",
      "Example: topo memory topologies/dgx-h100.xml --nodes 16 --group tp='DIV 8' --group dp='MOD 8'",
      "Example: topo memory system.xml --gpus 0-1 --against measured.txt -o memory.svg"
    })
final class MemoryCommand extends JobCommand {
  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private MemoryFormat format = MemoryFormat.text;

  @Mixin private MemoryOptions options = new MemoryOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  boolean hasTimes() {
    return false;
  }

  @Override
  NcclSettings marking(NcclSettings settings) {
    return settings.without(followed());
  }

  @Override
  Set<String> followed() {
    return MemoryModel.settings();
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    options.check(format.hasSavings(), job().hasSplit());
    if (options.against().isPresent()) {
      return compared(options.against().orElseThrow(), topologyFiles, settings);
    }
    if (!options.groups().isEmpty()) {
      return ofGroups(topologyFiles, settings);
    }
    List<MemoryStep> steps = options.ofJob();
    SplitCommunicators splits = new SplitCommunicators(this, topologyFiles, settings);
    List<JobPart> parts = parts(topologyFiles, settings);
    format.check(parts.size());
    return joined(parts, parts.stream().map(part -> ofPart(part, splits, steps)).toList());
  }

  private Answer ofPart(JobPart part, SplitCommunicators splits, List<MemoryStep> steps) {
    MemoryAnswer answer = MemoryOptions.accepted(() -> splits.memory(part).answer(steps));
    return shown(
        part.title(),
        part,
        answer,
        () ->
            SavingFinder.of(
                    evaluator().remembering(), splits.request(part), splits.halves(steps), steps)
                .find());
  }

  private Answer compared(Path file, List<Path> topologyFiles, NcclSettings settings) {
    MeasuredMemory measured =
        MeasuredMemoryReader.read(inputs().text(file, "measured memory"), file.toString());
    version().follow(measured.origin());
    JobPart part = parts(topologyFiles, settings).get(0);
    MemoryModel model = new SplitCommunicators(this, topologyFiles, settings).memory(part);
    try {
      MemoryAnswer answer = model.answer(MemoryComparison.steps(measured));
      MemoryComparison comparison = MemoryComparison.of(answer, measured);
      checkFailedIf(!comparison.isEqual());
      caveats().add(CaveatFinder.ofMemory(answer.omissions()));
      return new ComparedMemoryReport(
              part.title(), answer, MulticastNeed.of(answer, part), comparison)
          .in(format.name(), input().isVerbose());
    } catch (IllegalArgumentException e) {
      throw unusable(file, String.valueOf(e.getMessage()));
    }
  }

  private Answer shown(
      String title, JobPart part, MemoryAnswer answer, Supplier<List<MemorySaving>> savings) {
    caveats().add(CaveatFinder.ofMemory(answer.omissions()));
    MemoryReport report =
        new MemoryReport(
            title,
            answer,
            MulticastNeed.of(answer, part),
            options.wantsSavings(answer, format != MemoryFormat.csv) ? savings.get() : List.of(),
            options.limit());
    checkFailedIf(options.isExceededBy(answer));
    return report.in(format.name(), input().isVerbose());
  }

  /** The sum over all kinds of groups that the ranks are in. */
  private Answer ofGroups(List<Path> topologyFiles, NcclSettings settings) {
    GroupedJob grouped = new SplitCommunicators(this, topologyFiles, settings).grouped(options);
    List<JobGroupRequest> kinds = grouped.kinds();
    int nRanks = grouped.last().whole().nRanks();
    JobEvaluator remembering = evaluator().remembering();
    return MemoryOptions.accepted(
        () ->
            shown(
                job().layout(topologyFiles).name(),
                grouped.last(),
                GroupsModel.of(remembering, nRanks, kinds).answer(),
                () -> SavingFinder.ofGroups(remembering, nRanks, kinds).find()));
  }
}
