package dev.topo.cli;

import dev.topo.cli.SplitCommunicators.GroupedJob;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.measured.MeasuredMemory;
import dev.topo.inspect.measured.MeasuredMemoryReader;
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
import dev.topo.visualizer.structure.MemoryAgreement;
import dev.topo.visualizer.structure.MemoryReport;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code topo memory}: shows the memory that NCCL takes of each GPU and host, by step and by part.
 */
@Command(
    name = "memory",
    description =
        "The memory that NCCL takes of each GPU and host before anything runs: by call, and by what"
            + " takes it.")
final class MemoryCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private JobQuestion question = JobQuestion.following(this, MemoryModel.settings());

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private MemoryFormat format = MemoryFormat.text;

  @Mixin private MemoryOptions options = new MemoryOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    options.check(format.hasSavings(), question.job().hasSplit());
    if (options.against().isPresent()) {
      return comparedWith(options.against().orElseThrow(), asked);
    }
    if (!options.groups().isEmpty()) {
      return asked.answered(ofGroups(asked), format);
    }
    List<MemoryStep> steps = options.ofJob();
    SplitCommunicators splits = new SplitCommunicators(question, asked);
    List<JobPart> parts = asked.parts();
    format.check(parts.size());
    return asked.answered(parts, format, part -> ofPart(asked, part, splits, steps));
  }

  private Answer ofPart(
      AskedJob asked, JobPart part, SplitCommunicators splits, List<MemoryStep> steps) {
    MemoryAnswer answer = options.answer(splits.memory(part));
    return shown(
        asked,
        part.title(),
        part,
        answer,
        () ->
            SavingFinder.of(
                    evaluator().remembering(), asked.request(part), splits.halves(steps), steps)
                .find());
  }

  private Answer comparedWith(Path file, AskedJob statedJob) {
    MeasuredMemory measured =
        MeasuredMemoryReader.read(inputs().text(file, "measured memory"), file.toString());
    AskedJob asked = statedJob.following(measured.origin());
    JobPart part = asked.parts().get(0);
    MemoryModel model = new SplitCommunicators(question, asked).memory(part);
    MemoryAnswer answer;
    MemoryComparison comparison;
    try {
      answer = model.answer(MemoryComparison.steps(measured));
      comparison = MemoryComparison.of(answer, measured);
    } catch (IllegalArgumentException e) {
      throw unusable(file, String.valueOf(e.getMessage()));
    }
    files.checkFailedIf(!comparison.isEqual());
    asked.caveats().add(CaveatFinder.ofMemory(answer.omissions()));
    return asked.answered(
        new MemoryAgreement(
                new MemoryReport(
                    part.title(),
                    answer,
                    MulticastNeed.of(answer, part),
                    List.of(),
                    OptionalLong.empty()),
                comparison)
            .in(format.name(), question.isVerbose()),
        format);
  }

  private Answer shown(
      AskedJob asked,
      String title,
      JobPart part,
      MemoryAnswer answer,
      Supplier<List<MemorySaving>> savings) {
    asked.caveats().add(CaveatFinder.ofMemory(answer.omissions()));
    MemoryReport report =
        new MemoryReport(
            title,
            answer,
            MulticastNeed.of(answer, part),
            options.wantsSavings(answer, format != MemoryFormat.csv) ? savings.get() : List.of(),
            options.limit());
    files.checkFailedIf(options.isExceededBy(answer));
    return report.in(format.name(), question.isVerbose());
  }

  /** Answers for the sum over all kinds of groups that the ranks belong to. */
  private Answer ofGroups(AskedJob asked) {
    GroupedJob grouped = new SplitCommunicators(question, asked).grouped(options);
    List<JobGroupRequest> kinds = grouped.kinds();
    int nRanks = grouped.last().whole().nRanks();
    JobEvaluator remembering = evaluator().remembering();
    return MemoryOptions.accepted(
        () ->
            shown(
                asked,
                asked.layout().name(),
                grouped.last(),
                GroupsModel.of(remembering, nRanks, kinds).answer(),
                () -> SavingFinder.ofGroups(remembering, nRanks, kinds).find()));
  }
}
