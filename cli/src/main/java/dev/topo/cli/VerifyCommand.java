package dev.topo.cli;

import dev.topo.cli.option.AddedSettings;
import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.ProbeSettings;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.hw.probe.ThisHost;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.verify.Verification;
import dev.topo.hw.verify.Verifier;
import dev.topo.hw.verify.VerifyRequest;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TemporaryFolder;
import dev.topo.model.job.NcclSettings;
import dev.topo.visualizer.hardware.VerificationJson;
import dev.topo.visualizer.hardware.VerificationSentence;
import dev.topo.visualizer.hardware.VerificationText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo verify}: compares predictions with what NCCL does and reaches on this machine. */
@Command(
    name = "verify",
    description = {
      "Runs NCCL on this machine and compares it with the predictions.",
      "Graphs, rings, trees, tuner table and choices are compared with what NCCL dumps and logs; then",
      "NCCL's choice and each algorithm and protocol are measured in turns, in 5 rounds by the same",
      "processes. NCCL's choice is reported as slower only if its median time exceeds another by more than",
      "the noise of the rounds. With FILE, NCCL runs with NCCL_TOPO_FILE=FILE instead of the detected topology.",
      "Under mpirun, srun or torchrun the job consists of all processes; each compares the output of its",
      "own ranks."
    })
final class VerifyCommand extends Subcommand {
  private static final Path ANSWER = Path.of("verify");

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "A topology file for NCCL_TOPO_FILE.")
  private @Nullable Path declared;

  @Mixin private VerifyOptions measured = new VerifyOptions();

  @Option(
      names = {"-v", "--verbose"},
      description = "Show details, and what agrees.")
  private boolean verbose;

  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private AddedSettings added = new AddedSettings();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write everything as one JSON file, for chart, calibrate and report.")
  private @Nullable Path file;

  @Mixin private LaunchOptions launch = new LaunchOptions();

  @Override
  List<String> fileEndings() {
    return List.of(".json");
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> variables = Verifier.withoutOwn(environment());
    variables.putAll(Verifier.withoutOwn(added.values()));
    if (declared != null) {
      variables.put("NCCL_TOPO_FILE", declared.toAbsolutePath().toString());
    }
    measured.request(() -> 1); // reports wrong options before the machine is examined
    LaunchOptions.addFiles(variables, inputs());
    OutputPlan result = plan(file); // fails before the run if the file cannot be written
    ProcessPlacement launched = launch.placement(variables, Optional.empty());
    NcclSettings settings = NcclSettings.ofEnvironment(variables);
    ThisHost host = ThisHost.of(ProbeSettings.ofThisHost(settings, inputs()), inputs());
    if (host.seen().nvml().value().isEmpty()) {
      message("no NVIDIA driver: " + host.seen().nvml().reason());
      return ExitStatus.MISSING;
    }
    Optional<String> visible = Optional.ofNullable(environment().get("CUDA_VISIBLE_DEVICES"));
    VerifyRequest request =
        new VerifyRequest(
            variables,
            settings,
            launched.announcing(host.announcement()),
            measured.request(() -> launched.size() > 1 ? 1 : Math.max(1, host.gpus(visible))),
            measured.sweeps());
    Verification verification = verify(request, host);
    if (request.placement().index() == 0) {
      write(verification, settings, result);
    } else if (!verification.isGood()) {
      message(
          "process %s: %s"
              .formatted(request.placement().index(), VerificationSentence.of(verification)));
    }
    return ExitStatus.of(verification.isGood());
  }

  private Verification verify(VerifyRequest request, ThisHost host) throws IOException {
    try (TemporaryFolder folder =
            TemporaryFolder.make("topo-verify", note -> message("note: " + note));
        Task task = LaunchOptions.begin(streams(), request.placement())) {
      return new Verifier(
              request,
              variables -> launch.command(variables, inputs()),
              devices -> host.withGpus(QuantityFormat.joined(",", devices, String::valueOf)),
              evaluator(),
              inputs(),
              step -> task.detail(() -> step))
          .verify(folder.path());
    }
  }

  private void write(Verification verification, NcclSettings settings, OutputPlan result) {
    Envelope envelope = envelope(verification.rules(), verification.mismatches());
    envelope.report(streams()::message);
    String sentence = VerificationSentence.of(verification);
    Answer text = VerificationText.of(verification, verbose).saying(sentence);
    plan(null).write(ANSWER, rendered(text, envelope, "text"));
    streams().flush();
    if (file != null) {
      Answer answer = VerificationJson.of(verification, settings).saying(sentence);
      result.write(file, answer.render(envelope, "json", streams()::message));
    }
  }
}
