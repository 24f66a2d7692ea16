package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.visualizer.report.FileFindings;
import dev.topo.visualizer.report.ReportPage;
import dev.topo.visualizer.report.ReportSubject;
import dev.topo.visualizer.report.ReportSubject.Basis;
import dev.topo.visualizer.report.ReportSubject.Calls;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code topo report}: everything about a machine or job on one HTML page. */
@Command(
    name = "report",
    description =
        "One HTML page about a machine or job: summary, drawing with its channels, paths, graphs,"
            + " choices, predictions, measurements, findings.")
final class ReportCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private JobQuestion question = JobQuestion.ofTimes(this, evaluation);

  @Mixin private ReportedCalls calls = new ReportedCalls();

  private enum ReportFormat implements Format {
    html
  }

  @Override
  List<String> fileEndings() {
    return List.of(".html", ".htm");
  }

  @Override
  public Integer call() {
    return files.write(question, ReportFormat.html, this::answer);
  }

  private Answer answer(AskedJob asked) {
    AskedJob.MeasuredJob job =
        asked.measured(whole -> calls.run(whole, question.version(), context()));
    boolean isOneCommunicator = job.parts().size() == 1;
    return job.job()
        .answered(
            Answer.of(
                ReportPage.of(
                    job.parts().stream()
                        .map(part -> subject(isOneCommunicator ? "" : part.label(), part, job))
                        .toList(),
                    envelope().invocation())),
            ReportFormat.html);
  }

  private ReportSubject subject(String colors, JobPart part, AskedJob.MeasuredJob job) {
    AskedJob asked = job.job();
    Optional<MeasuredRun> run = job.runOf(part);
    List<Path> files = asked.layout().hosts();
    JobResult result = asked.evaluated(evaluation, part, run);
    Calls shown = calls.shown(run);
    List<String> assumed = new ArrayList<>(assumed(files));
    run.ifPresent(
        measured ->
            RunMismatches.of(measured.file(), measured.origin(), part.job(), asked.rules())
                .forEach(mismatch -> assumed.add(0, "caveat: " + OptionWords.of(mismatch))));
    return new ReportSubject(
        colors,
        part.title(),
        question.job().hasRanks() || !colors.isEmpty()
            ? part.files().stream().map(MachineName::of).toList()
            : asked.layout().machineNames(),
        assumed,
        asked.rules(),
        result,
        shown,
        Basis.of(part.title(), result, shown),
        run,
        findings(files, asked.profile()),
        asked.caveats().list());
  }

  /**
   * The devices that the user assumes because the files do not contain them, one sentence per file.
   */
  private List<String> assumed(List<Path> files) {
    return files.stream()
        .distinct()
        .filter(file -> !question.machines().assumed(file).isEmpty())
        .map(
            file ->
                "Assumed, because %s does not contain it: %s."
                    .formatted(file.getFileName(), question.machines().assumed(file)))
        .toList();
  }

  private List<FileFindings> findings(List<Path> files, NcclProfile profile) {
    return files.stream()
        .distinct()
        .map(
            file ->
                FileFindings.of(
                    file, question.machines().bytes(file), profile, question.job().hasDomains()))
        .toList();
  }
}
