package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.cli.terminal.Streams.Terminal;
import dev.topo.hw.foreign.MachineCompleter;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.simulator.verdict.FileLinter;
import dev.topo.visualizer.study.LintSentence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo lint}: checks files for NCCL and shows what NCCL would do with them. */
@Command(
    name = "lint",
    description = {
      "Checks a file: what is wrong, what NCCL would do with it, and how to fix it.",
      "Accepts files for NCCL_TOPO_FILE and NCCL_GRAPH_FILE, nccl.conf, and files of NCCL's example tuner plugin."
    })
final class LintCommand extends Subcommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Topology files, graph files and configuration files.")
  private List<Path> files = new ArrayList<>();

  @Mixin private LintOptions options = new LintOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Option(names = "--list-rules", description = "List all rules instead, as text, JSON or CSV.")
  private boolean listRules;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private LintFormat format = LintFormat.text;

  @Mixin private OutputFile output = new OutputFile();

  private boolean hasUnreadable;

  @Override
  public Integer call() {
    OutputPlan plan = output.plan(context());
    if (listRules) {
      refuseIf(!files.isEmpty(), "--list-rules takes no FILE");
      plan.write(Path.of("rules"), rendered(format.rules(), envelope(), format));
      return ExitStatus.DONE;
    }
    check();
    FileLinter linter;
    try {
      linter = options.linter(inputs(), evaluator());
    } catch (IllegalArgumentException e) {
      message(e.getMessage());
      return ExitStatus.BAD_INPUT;
    }
    Optional<MachineCompleter> completer = options.completer();
    List<LintedFile> linted = new ArrayList<>();
    try (Task task = begin("file", files.size())) {
      for (Path file : files) {
        task.next();
        linted.add(lint(file, linter, completer));
      }
    }
    Envelope envelope =
        envelope(options.followedRules(), CaveatFinder.ofRelease(options.followedRules()));
    boolean colours = !output.isGiven() && Terminal.ofProcess(environment()).isColoured();
    plan.write(
        Path.of("lint"),
        rendered(format.answer(linted, colours).saying(LintSentence.of(linted)), envelope, format));
    if (hasUnreadable) {
      return ExitStatus.BAD_INPUT;
    }
    return ExitStatus.of(linted.stream().noneMatch(options::isFailedBy));
  }

  private void check() {
    refuseIf(format == LintFormat.csv, "--format csv is for --list-rules");
    options.check(files);
  }

  private LintedFile lint(Path file, FileLinter linter, Optional<MachineCompleter> completer) {
    SourceText source;
    try {
      source = options.read(file, inputs());
    } catch (TopologyFormatException e) {
      hasUnreadable = true;
      message(e.getMessage());
      return new LintedFile(
          file.toString(), List.of(Linter.missing(file.toString(), e.reason())), "", "");
    }
    SourceText fixed = options.showsChanges() ? linter.fixed(source) : source;
    if (options.fix() && !Arrays.equals(fixed.bytes(), source.bytes())) {
      OutputPlan.inPlaceOf(file).write(file, Answer.ofBytes(fixed.bytes()));
    }
    SourceText result = options.fix() ? fixed : source;
    LintedFile found = linter.lint(result, options.changes(source, fixed));
    LintedFile described = files.size() == 1 ? linter.described(found, result) : found;
    if (completer.isEmpty()) {
      return described;
    }
    if (described.count(Severity.ERROR) > 0) {
      message("note: " + file + " has errors: fix them before using --assume");
      return described;
    }
    return FileKind.of(result.file(), result.bytes()) == FileKind.TOPOLOGY
        ? linter.lint(described, LintOptions.completed(result, completer.get(), streams()))
        : described;
  }
}
