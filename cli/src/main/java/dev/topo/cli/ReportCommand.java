package dev.topo.cli;

import dev.topo.cli.option.CollectiveOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.Format;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.job.Job;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.visualizer.report.ReportPage;
import dev.topo.visualizer.report.ReportSubject;
import dev.topo.visualizer.report.ReportSubject.Basis;
import dev.topo.visualizer.report.ReportSubject.Calls;
import dev.topo.visualizer.report.ReportSubject.FileFindings;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo report}: all about a machine or job on one HTML page. */
@Command(
    name = "report",
    description =
        "One HTML page about a machine or job: summary, drawing with its channels, paths, graphs, choices, predictions,"
            + " measurements, findings.",
    footer = {
      "",
      "The page is self-contained: attach it to a ticket, open it from a file, or print it.",
      "",
      "Example: topo report topologies/dgx-h100.xml --nodes 4 -o report.html",
      "Example: topo report topologies/gb200-tray.xml --nodes 36 --nvlink-domain 18 -o racks.html",
      "Example: topo report topologies/dgx-h100.xml --nodes 4 --split '0-15;16-23;24-31' -o communicators.html",
      "Example: topo report system.xml --measured result.json -o report.html",
      "Example: topo report topologies/*.xml --out-dir reports"
    })
final class ReportCommand extends JobCommand {
  @Option(
      names = "--measured",
      paramLabel = "FILE",
      description =
          "Measured times: text or JSON of nccl-tests or topo run, a result of topo verify, or CSV. Predictions use the"
              + " settings in it; --env takes precedence.")
  private @Nullable Path measured;

  @Option(
      names = "--sizes",
      paramLabel = "SIZES",
      description = "Bytes, as first:last:factor (default: " + CallSizes.USUAL + ") or as a list.")
  private @Nullable String sizes;

  @Mixin private CollectiveOptions collectives = new CollectiveOptions();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();

  private enum ReportFormat implements Format {
    html
  }

  @Override
  Format format() {
    return ReportFormat.html;
  }

  @Override
  List<String> fileEndings() {
    return List.of(".html", ".htm");
  }

  @Override
  NcclSettings marking(NcclSettings settings) {
    return evaluation.withoutModelled(settings);
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    MeasuredJob job = measured(topologyFiles, settings, this::run);
    return Answer.of(
        ReportPage.of(
            job.parts().stream()
                .map(
                    part ->
                        subject(
                            job.parts().size() == 1 ? "" : part.label(),
                            part,
                            topologyFiles,
                            job.run().flatMap(run -> ofPart(part, job, run))))
                .toList(),
            envelope().invocation()));
  }

  /** What was measured of a communicator; of a whole job all that is asked for. */
  private static Optional<MeasuredRun> ofPart(JobPart part, MeasuredJob job, MeasuredRun run) {
    if (job.parts().size() == 1) {
      return Optional.of(run);
    }
    MeasuredRun own = run.ofRanks(part.job().nRanks());
    return Optional.of(own)
        .filter(
            one ->
                !one.measurements().isEmpty() || !one.wrong().isEmpty() || !one.peers().isEmpty());
  }

  private Optional<MeasuredRun> run(Job job) {
    if (measured == null) {
      return Optional.empty();
    }
    List<Collective> named = collectives.collectives();
    MeasuredRun run =
        MeasurementFile.readAny(
            measured,
            RunHints.of(named, OptionalInt.of(job.nRanks()), Optional.empty()),
            version(),
            inputs(),
            streams());
    JobMeasurements.check(run, job);
    List<Long> around = sizes == null ? List.of() : CallSizes.parse(sizes);
    MeasuredRun requested =
        run.only(m -> named.contains(m.collective()) && CallSizes.areAround(around, m.sizeBytes()));
    if (requested.measurements().isEmpty()
        && requested.wrong().isEmpty()
        && peers(Optional.of(run)).isEmpty()) {
      throw JobMeasurements.noneAskedFor(run);
    }
    return Optional.of(requested);
  }

  /** The collectives, of which the page needs one at least. */
  private List<Collective> collectives() {
    List<Collective> named = collectives.collectives();
    return named.isEmpty() ? List.of(Collective.ALL_REDUCE) : named;
  }

  /** The operations of sends and receives that are named or, if none is, were measured. */
  private List<PeerOperation> peers(Optional<MeasuredRun> run) {
    return collectives.peers().stream()
        .filter(
            operation ->
                !collectives.isEmpty()
                    || run.stream()
                        .flatMap(one -> one.peers().stream())
                        .anyMatch(one -> one.operation() == operation))
        .toList();
  }

  private ReportSubject subject(
      String colors, JobPart part, List<Path> topologyFiles, Optional<MeasuredRun> run) {
    List<Path> files = job().hosts(topologyFiles);
    JobResult result =
        evaluation.known(
            evaluator()
                .evaluate(
                    evaluation.request(
                        version().profile(),
                        part,
                        Optional.empty(),
                        run,
                        Optional.empty(),
                        inputs(),
                        streams())));
    Calls calls =
        new Calls(
            collectives(), peers(run), CallSizes.parse(sizes == null ? CallSizes.USUAL : sizes));
    List<String> assumed = new ArrayList<>(assumed(files));
    run.ifPresent(
        one ->
            RunMismatches.of(one.file(), one.origin(), part.job(), version().rules())
                .forEach(mismatch -> assumed.add(0, "caveat: " + OptionWords.of(mismatch))));
    return new ReportSubject(
        colors,
        part.title(),
        job().hasRanks() || !colors.isEmpty()
            ? part.files().stream().map(MachineName::of).toList()
            : job().layout(topologyFiles).machineNames(),
        assumed,
        version().rules(),
        result.predictor(),
        calls,
        Basis.of(part.title(), result, calls),
        run,
        findings(files),
        caveats().list());
  }

  /** The user's assumptions that are not in the files, a sentence each. */
  private List<String> assumed(List<Path> files) {
    return files.stream()
        .distinct()
        .filter(file -> !machines().assumed(file).isEmpty())
        .map(
            file ->
                "Assumed, because %s does not contain it: %s."
                    .formatted(file.getFileName(), machines().assumed(file)))
        .toList();
  }

  /**
   * Lint's findings in each file, under the name of the file without its folders; not that hosts
   * may be in an NVLink domain where the user states it.
   */
  private List<FileFindings> findings(List<Path> files) {
    return files.stream()
        .distinct()
        .map(
            file -> {
              String name = String.valueOf(file.getFileName());
              SourceText source = new SourceText(name, machines().bytes(file));
              List<LintFinding> found =
                  new Linter(version().profile()).lint(source, FileKind.TOPOLOGY);
              return new FileFindings(
                  name,
                  found.stream()
                      .filter(one -> one.rule() != LintRule.NVLINK_DOMAIN || !job().hasDomains())
                      .toList());
            })
        .toList();
  }
}
