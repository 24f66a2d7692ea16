package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.Format;
import dev.topo.inspect.measured.MeasuredMemory;
import dev.topo.inspect.measured.MeasuredMemoryReader;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.CallSizes;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.memory.GroupsModel;
import dev.topo.simulator.memory.JobGroupKind;
import dev.topo.simulator.memory.JobGroupRequest;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryComparison;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.simulator.memory.SavingFinder;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.StepChart;
import dev.topo.visualizer.structure.MemoryAgreement;
import dev.topo.visualizer.structure.MemoryData;
import dev.topo.visualizer.structure.MemoryHeadline;
import dev.topo.visualizer.structure.MemoryText;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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
  private enum MemoryFormat implements Format {
    text,
    json,
    csv,
    svg,
    png;

    @Override
    public boolean needsItsEnding() {
      return isPicture();
    }

    boolean isPicture() {
      return this == svg || this == png;
    }
  }

  private static final double PNG_SCALE = 2;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private MemoryFormat format = MemoryFormat.text;

  @Option(
      names = "--steps",
      paramLabel = "STEP",
      split = ",",
      description =
          "The calls in order (default: those of docs/memory.md, from init to windows off).")
  private List<String> steps = new ArrayList<>();

  @Option(
      names = "--group",
      paramLabel = "NAME=RULE",
      description =
          "A kind of group that ranks are in, with the rule of --split: tp='DIV 8'; may be repeated. The answer is the sum over all; a step that begins with a name is of that kind only.")
  private Map<String, String> groups = new LinkedHashMap<>();

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "Most memory of a GPU that NCCL may take, as in 2G. Exit status 1 if it is more; the answer then"
              + " has the settings to change (up to 1,024 ranks, else with --savings).")
  private @Nullable String limit;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description =
          "Measured memory to compare with: what topo run --memory-steps prints, or CSV with the columns step, gpu_bytes and, where"
              + " known, rank and host_shmem_kib. The steps are those measured. Exit status 1 if one differs.")
  private @Nullable Path against;

  @Option(
      names = "--savings",
      description =
          "Also list settings by which NCCL takes less, with the bytes saved and the change of busbw.")
  private boolean wantsSavings;

  @Mixin private BriefOption brief = new BriefOption();

  @Override
  boolean hasTimes() {
    return false;
  }

  @Override
  Optional<BriefOption> brief() {
    return Optional.of(brief);
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
    if (wantsSavings && format != MemoryFormat.text && format != MemoryFormat.json) {
      throw new SettingException("--savings: expected --format text or json");
    }
    OptionalLong most = most();
    if (against != null) {
      return compared(against, topologyFiles, settings);
    }
    if (!groups.isEmpty()) {
      return answerOfGroups(topologyFiles, settings, most);
    }
    List<MemoryStep> asked = asked();
    List<JobPart> parts = parts(topologyFiles, settings);
    if (format.isPicture() && parts.size() > 1) {
      throw new SettingException(
          "--format %s is of one kind of communicator: expected no --split".formatted(format));
    }
    return ofEach(parts, part -> answer(part, asked, most, topologyFiles, settings));
  }

  private Answer compared(Path file, List<Path> topologyFiles, NcclSettings settings) {
    if (!steps.isEmpty()
        || !groups.isEmpty()
        || limit != null
        || wantsSavings
        || job().hasSplit()) {
      throw new SettingException(
          "--against: expected no --steps, --group, --limit, --savings or --split");
    }
    MeasuredMemory measured =
        MeasuredMemoryReader.read(inputs().text(file, "measured memory"), file.toString());
    version().follow(measured.origin());
    JobPart part = parts(topologyFiles, settings).get(0);
    MemoryModel model = new MemoryModel(communicator(part), () -> halves(topologyFiles, settings));
    try {
      MemoryAnswer answer = model.answer(MemoryComparison.steps(measured));
      return compared(part, answer, MemoryComparison.of(answer, measured));
    } catch (IllegalArgumentException e) {
      throw unusable(file, String.valueOf(e.getMessage()));
    }
  }

  private Answer compared(JobPart part, MemoryAnswer answer, MemoryComparison comparison) {
    String sentence = MemoryAgreement.headline(comparison);
    if (!comparison.isEqual()) {
      checkFailed();
    }
    return switch (format) {
      case text ->
          MemoryAgreement.text(part.title(), comparison, answer.gaps(), input().isVerbose())
              .saying(sentence);
      case json ->
          MemoryData.json(answer, MulticastNeed.of(answer, part), comparison).saying(sentence);
      case csv -> MemoryData.csv(comparison);
      case svg, png -> drawn(StepChart.of(sentence, part.title(), comparison));
    };
  }

  private Answer drawn(StepChart chart) {
    ChartSheet sheet = ChartSheet.of(chart);
    return format == MemoryFormat.png
        ? Answer.ofBytes(sheet.png(PNG_SCALE))
        : Answer.of(sheet.svg());
  }

  private Answer answer(
      JobPart part,
      List<MemoryStep> asked,
      OptionalLong most,
      List<Path> topologyFiles,
      NcclSettings settings) {
    MemoryModel model = new MemoryModel(communicator(part), () -> halves(topologyFiles, settings));
    MemoryAnswer answer = answer(model, asked);
    return shown(part.title(), part, answer, savings(part, asked, answer, most), most);
  }

  private Answer shown(
      String title,
      JobPart part,
      MemoryAnswer answer,
      List<MemorySaving> savings,
      OptionalLong most) {
    MulticastNeed multicast = MulticastNeed.of(answer, part);
    if (exceeds(answer, most)) {
      checkFailed();
    }
    String sentence = MemoryHeadline.of(answer, most, savings);
    return switch (format) {
      case text ->
          MemoryText.of(title, answer, multicast, savings, input().isVerbose()).saying(sentence);
      case json -> MemoryData.json(answer, multicast, savings).saying(sentence);
      case csv -> MemoryData.csv(answer);
      case svg, png -> drawn(StepChart.of(sentence, title, answer));
    };
  }

  private Answer answerOfGroups(
      List<Path> topologyFiles, NcclSettings settings, OptionalLong most) {
    if (job().hasSplit()) {
      throw new SettingException("--group: expected no --split");
    }
    List<JobGroupRequest> kinds = new ArrayList<>();
    List<JobPart> parts = List.of();
    for (Map.Entry<String, String> group : groups.entrySet()) {
      GroupRule rule = JobResolver.rule(group.getValue());
      parts = parts(job().layout(topologyFiles).withSplit(group.getValue()), settings);
      kinds.add(new JobGroupRequest(group.getKey(), members(rule, parts), stepsOf(group.getKey())));
    }
    JobPart one = parts.get(parts.size() - 1);
    int nRanks = one.whole().nRanks();
    JobEvaluator remembering = evaluator().remembering();
    try {
      MemoryAnswer answer =
          new GroupsModel(nRanks, kinds.stream().map(kind -> made(kind, remembering)).toList())
              .answer();
      List<MemorySaving> savings =
          wantsSavings(answer, exceeds(answer, most))
              ? SavingFinder.ofGroups(remembering, nRanks, kinds).find()
              : List.of();
      return shown(job().layout(topologyFiles).name(), one, answer, savings, most);
    } catch (IllegalArgumentException e) {
      throw new SettingException("--steps: " + e.getMessage());
    }
  }

  private static JobGroupKind made(JobGroupRequest kind, JobEvaluator evaluator) {
    return kind.with(
        kind.members().stream()
            .map(member -> evaluator.evaluate(member.request()).communicator())
            .toList());
  }

  /** The communicators of a split with the ranks of each. */
  private List<JobGroupRequest.Member> members(GroupRule rule, List<JobPart> parts) {
    Map<Integer, List<Integer>> ranks = rule.groups(parts.get(0).whole().nRanks());
    return parts.stream()
        .map(
            part ->
                new JobGroupRequest.Member(
                    request(part),
                    part.colors().stream()
                        .map(color -> Objects.requireNonNull(ranks.get(color)))
                        .toList()))
        .toList();
  }

  /** The calls of one kind of group, which begin with its initialization. */
  private List<MemoryStep> stepsOf(String name) {
    List<String> own =
        steps.stream()
            .map(String::strip)
            .filter(step -> groups.keySet().stream().noneMatch(other -> isOf(step, other, name)))
            .map(step -> step.startsWith(name + " ") ? step.substring(name.length() + 1) : step)
            .filter(step -> !step.equals("init"))
            .toList();
    List<MemoryStep> parsed = new ArrayList<>(List.of(MemoryStep.parse("init")));
    try {
      (steps.isEmpty() ? List.of("all_reduce 256 MiB") : own)
          .forEach(step -> parsed.add(MemoryStep.parse(step)));
    } catch (IllegalArgumentException e) {
      throw new SettingException("--steps: " + e.getMessage());
    }
    return parsed;
  }

  private static boolean isOf(String step, String other, String name) {
    return !other.equals(name) && step.startsWith(other + " ");
  }

  private static boolean exceeds(MemoryAnswer answer, OptionalLong most) {
    return most.isPresent()
        && answer.total(answer.fullestRank(), MemoryPlace.GPU) > most.getAsLong();
  }

  /** Where a job does not fit, the answer names what to change; of a large job only if asked. */
  private boolean wantsSavings(MemoryAnswer answer, boolean exceeds) {
    return wantsSavings
        || exceeds && format != MemoryFormat.csv && !JobMemory.isTooLarge(answer.nRanks());
  }

  private List<MemorySaving> savings(
      JobPart part, List<MemoryStep> asked, MemoryAnswer answer, OptionalLong most) {
    return wantsSavings(answer, exceeds(answer, most))
        ? SavingFinder.of(evaluator().remembering(), request(part), asked).find()
        : List.of();
  }

  private static MemoryAnswer answer(MemoryModel model, List<MemoryStep> asked) {
    try {
      return model.answer(asked);
    } catch (IllegalArgumentException e) {
      throw new SettingException("--steps: " + e.getMessage());
    }
  }

  private List<MemoryStep> asked() {
    if (steps.isEmpty()) {
      return MemoryModel.usualSteps();
    }
    try {
      return steps.stream().map(MemoryStep::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new SettingException("--steps: " + e.getMessage());
    }
  }

  private OptionalLong most() {
    return limit == null ? OptionalLong.empty() : OptionalLong.of(CallSizes.parse(limit).get(0));
  }

  private JobRequest request(JobPart part) {
    return JobRequest.of(part.job(), version().profile(), List.of());
  }

  private Communicator communicator(JobPart part) {
    return evaluator().evaluate(request(part)).communicator();
  }

  /** The communicators of ranks with even and with odd numbers. */
  private List<Communicator> halves(List<Path> topologyFiles, NcclSettings settings) {
    if (job().hasSplit()) {
      throw new SettingException(
          "--steps: split halves of the communicators of --split are not modelled");
    }
    Map<Integer, Communicator> byColor = new TreeMap<>();
    for (JobPart part : parts(job().layout(topologyFiles).withSplit("MOD 2"), settings)) {
      Communicator made = communicator(part);
      part.colors().forEach(color -> byColor.put(color, made));
    }
    return List.copyOf(byColor.values());
  }
}
