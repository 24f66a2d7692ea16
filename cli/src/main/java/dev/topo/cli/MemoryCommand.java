package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.Format;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.memory.GroupsModel;
import dev.topo.simulator.memory.JobGroupRequest;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.simulator.memory.SavingFinder;
import dev.topo.visualizer.structure.MemoryReport;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
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
      "Exit status: 1 with --limit if NCCL takes more of a GPU.",
      "",
      "Example: topo memory topologies/dgx-h100.xml --nodes 16",
      "Example: topo memory topologies/dgx-h100.xml --steps \"init,alltoall 256 MiB\" --limit 2G --savings",
      "Example: topo memory topologies/dgx-h100.xml --nodes 16 --group tp='DIV 8' --group dp='MOD 8'"
    })
final class MemoryCommand extends JobCommand {
  private enum MemoryFormat implements Format {
    text,
    json,
    csv
  }

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
    options.check(format != MemoryFormat.csv);
    OptionalLong most = options.limit();
    if (!options.groups().isEmpty()) {
      return ofGroups(topologyFiles, settings, most);
    }
    List<MemoryStep> asked = options.ofJob();
    SplitCommunicators splits = new SplitCommunicators(this, topologyFiles, settings);
    List<JobPart> parts = parts(topologyFiles, settings);
    return joined(parts, parts.stream().map(part -> ofPart(part, splits, asked, most)).toList());
  }

  private Answer ofPart(
      JobPart part, SplitCommunicators splits, List<MemoryStep> asked, OptionalLong most) {
    MemoryModel model = new MemoryModel(splits.communicator(part), splits::halves);
    MemoryAnswer answer = MemoryOptions.accepted(() -> model.answer(asked));
    List<MemorySaving> savings =
        options.wantsSavings()
            ? SavingFinder.of(evaluator().remembering(), splits.request(part), asked).find()
            : List.of();
    return shown(part.title(), part, answer, savings, most);
  }

  private Answer shown(
      String title,
      JobPart part,
      MemoryAnswer answer,
      List<MemorySaving> savings,
      OptionalLong most) {
    MemoryReport report =
        new MemoryReport(title, answer, MulticastNeed.of(answer, part), savings, most);
    checkFailedIf(report.exceedsLimit());
    return report.in(format.name(), input().isVerbose());
  }

  /** The sum over all kinds of groups that the ranks are in. */
  private Answer ofGroups(List<Path> topologyFiles, NcclSettings settings, OptionalLong most) {
    if (job().hasSplit()) {
      throw new SettingException("--group: expected no --split");
    }
    SplitCommunicators splits = new SplitCommunicators(this, topologyFiles, settings);
    List<JobGroupRequest> kinds = new ArrayList<>();
    List<JobPart> parts = List.of();
    for (Map.Entry<String, String> group : options.groups().entrySet()) {
      GroupRule rule = JobResolver.rule(group.getValue());
      parts = splits.parts(group.getValue());
      kinds.add(
          JobGroupRequest.of(
              group.getKey(), rule, parts, splits::request, options.of(group.getKey())));
    }
    JobPart one = parts.get(parts.size() - 1);
    int nRanks = one.whole().nRanks();
    JobEvaluator remembering = evaluator().remembering();
    return MemoryOptions.accepted(
        () ->
            shown(
                job().layout(topologyFiles).name(),
                one,
                GroupsModel.of(remembering, nRanks, kinds).answer(),
                options.wantsSavings()
                    ? SavingFinder.ofGroups(remembering, nRanks, kinds).find()
                    : List.of(),
                most));
  }
}
