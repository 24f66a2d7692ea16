package dev.topo.cli;

import dev.topo.cli.option.AssumptionOptions;
import dev.topo.cli.option.Format;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.Streams;
import dev.topo.cli.terminal.Terminal;
import dev.topo.hw.foreign.CompletedMachine;
import dev.topo.hw.foreign.MachineCompleter;
import dev.topo.hw.probe.MachineProbe;
import dev.topo.hw.probe.ProbeOptions;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintGithub;
import dev.topo.inspect.lint.LintText;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.RuleCatalogue;
import dev.topo.inspect.lint.SourceText;
import dev.topo.inspect.lint.TextEdit;
import dev.topo.inspect.lint.UnifiedDiff;
import dev.topo.inspect.lint.VersionsLinter;
import dev.topo.model.io.Severity;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.verdict.CompletedLint;
import dev.topo.simulator.verdict.FindingCost;
import dev.topo.visualizer.study.LintJson;
import dev.topo.visualizer.study.LintSarif;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo lint}: whether files for NCCL are right, and what NCCL would do with them. */
@Command(
    name = "lint",
    description = {
      "Checks a file: what is wrong, what NCCL would do with it, and how to fix it.",
      "Accepts files for NCCL_TOPO_FILE and NCCL_GRAPH_FILE, and nccl.conf."
    },
    footer = {
      "",
      "Exit status 1 if an error was found (with --strict also a warning), 3 if a file cannot be read at all.",
      "",
      "Example: topo lint virtualTopology.xml",
      "Example: topo lint virtualTopology.xml --machine system.xml",
      "Example: topo lint virtualTopology.xml --fix",
      "Example: topo lint virtualTopology.xml --assume gpu=h100,net=400000",
      "Example: topo lint graph.xml /etc/nccl.conf --here",
      "Example: topo lint *.xml --format sarif -o lint.sarif",
      "Example: topo lint virtualTopology.xml --nccl all",
      "Example: topo lint --list-rules"
    })
final class LintCommand extends Subcommand {
  /** Far more than a file of NCCL has; 256 elements of 16 attributes fit in it. */
  private static final int MAX_BYTES = 16 << 20;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Topology files, graph files and configuration files.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--machine",
      paramLabel = "PROBE",
      description = "Compare with the machine in this file of topo probe or NCCL_TOPO_DUMP_FILE.")
  private @Nullable Path machineFile;

  @Option(names = "--here", description = "Compare with the machine on which topo runs.")
  private boolean here;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description =
          "Kind of the files: ${COMPLETION-CANDIDATES} (default: detected from their contents).")
  private @Nullable FileKind kind;

  @Option(
      names = "--fix",
      description = "Fix in the files what can be fixed safely, and show each changed line.")
  private boolean fix;

  @Option(
      names = "--diff",
      description =
          "Show what --fix would change, as a unified diff for patch: findings and exit status are those of the unchanged file.")
  private boolean diff;

  @Option(names = "--strict", description = "Warnings about the input are errors: exit status 1.")
  private boolean strict;

  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private AssumptionOptions assumptionOptions = new AssumptionOptions();

  @Option(
      names = "--list-rules",
      description = "List all rules instead; --format markdown generates the documentation page.")
  private boolean listRules;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private LintFormat format = LintFormat.text;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the output to this file.")
  private @Nullable Path output;

  private enum LintFormat implements Format {
    text,
    json,
    sarif,
    github,
    markdown;

    @Override
    public List<String> endings() {
      return switch (this) {
        case text, json -> List.of(extension());
        case sarif -> List.of(".sarif", ".sarif.json");
        case github -> List.of();
        case markdown -> List.of(".md");
      };
    }
  }

  private boolean unreadable;

  @Override
  public Integer call() {
    OutputPlan plan = plan(output);
    if (listRules) {
      if (!files.isEmpty()) {
        throw new SettingException("--list-rules takes no FILE");
      }
      plan.write(Path.of("rules"), rendered(rules(), envelope(), format.name()));
      return ExitStatus.DONE;
    }
    if (format == LintFormat.markdown) {
      throw new SettingException("--format markdown is for --list-rules");
    }
    if (files.isEmpty()) {
      throw new SettingException("expected a FILE (--help shows an example)");
    }
    if (fix && files.stream().anyMatch(Streams::isStandardInput)) {
      throw new SettingException("--fix changes files, expected a FILE and not standard input");
    }
    if (fix && files.stream().anyMatch(LintCommand::isPacked)) {
      throw new SettingException("--fix changes files, expected a FILE that is not compressed");
    }
    Optional<SourceText> machine = machine();
    Linter linter;
    try {
      linter =
          machine.isPresent()
              ? Linter.against(machine.get(), followed().profile())
              : new Linter(followed().profile());
    } catch (IllegalArgumentException e) {
      message(e.getMessage());
      return ExitStatus.BAD_INPUT;
    }
    Optional<MachineCompleter> completer = assumptionOptions.completer();
    List<LintedFile> linted = new ArrayList<>();
    try (Progress.Task task = begin("file", files.size())) {
      for (Path file : files) {
        task.next();
        linted.add(lint(file, linter, machine, completer));
      }
    }
    Envelope envelope = envelope(followed(), CaveatFinder.ofRelease(followed()));
    plan.write(Path.of("lint"), rendered(answer(linted), envelope, format.name()));
    if (unreadable) {
      return ExitStatus.BAD_INPUT;
    }
    return linted.stream().anyMatch(this::hasFailed) ? ExitStatus.NO : ExitStatus.DONE;
  }

  private boolean hasFailed(LintedFile file) {
    return file.count(Severity.ERROR) > 0 || (strict && file.count(Severity.WARNING) > 0);
  }

  private Answer rules() {
    return switch (format) {
      case markdown -> Answer.of(RuleCatalogue.markdown());
      case json -> LintJson.ofRules();
      case text -> Answer.of(RuleCatalogue.text());
      case sarif, github ->
          throw new SettingException("--list-rules: expected --format text, markdown or json");
    };
  }

  private Answer answer(List<LintedFile> linted) {
    return switch (format) {
      case text -> {
        boolean colours = output == null && Terminal.ofProcess(environment()).isColoured();
        String text = LintText.of(linted, colours, " (applied by --fix)");
        // The colours are no plain text.
        yield colours ? Answer.ofBytes(text.getBytes(StandardCharsets.UTF_8)) : Answer.of(text);
      }
      case json -> LintJson.of(linted);
      case sarif -> LintSarif.of(linted);
      case github, markdown -> Answer.of(LintGithub.of(linted));
    };
  }

  private Optional<SourceText> machine() {
    if (machineFile != null && here) {
      throw new SettingException("--machine and --here cannot be combined");
    }
    if (here) {
      String xml =
          XmlWriter.write(MachineProbe.ofThisMachine(inputs()).run(ProbeOptions.DEFAULTS).system());
      return Optional.of(new SourceText("this machine", xml.getBytes(StandardCharsets.UTF_8)));
    }
    return Optional.ofNullable(machineFile).map(this::read);
  }

  /** NCCL opens no compressed file: only one that says by its name what it is, is unpacked. */
  private static boolean isPacked(Path file) {
    return file.toString().endsWith(".gz");
  }

  private SourceText read(Path file) {
    return new SourceText(
        file.toString(),
        inputs().bytes(file, "a file that NCCL can open", MAX_BYTES, isPacked(file)));
  }

  private LintedFile lint(
      Path file,
      Linter linter,
      Optional<SourceText> machine,
      Optional<MachineCompleter> completer) {
    SourceText source;
    try {
      source = read(file);
    } catch (TopologyFormatException e) {
      unreadable = true;
      message(e.getMessage());
      return new LintedFile(
          file.toString(), List.of(Linter.missing(file.toString(), e.reason())), "");
    }
    List<LintFinding> findings = findings(source, linter, machine);
    String changes = "";
    SourceText left = source;
    if (fix || diff) {
      List<TextEdit> edits = findings.stream().flatMap(found -> found.edits().stream()).toList();
      SourceText fixed = source.edited(edits);
      String lines = UnifiedDiff.of(file.toString(), source.text(), fixed.text());
      if (!lines.isEmpty()) {
        changes = file + (fix ? ": fixed\n" : ": would be fixed\n") + lines + "\n";
      }
      if (fix && !edits.isEmpty()) {
        OutputPlan.inPlaceOf(file).write(file, Answer.ofBytes(fixed.bytes()));
      }
      if (fix) {
        left = fixed;
        findings = findings(fixed, linter, machine);
      }
    }
    LintedFile asItIs =
        new LintedFile(
            file.toString(),
            new FindingCost(machine, followed().profile(), evaluator(), "all fixes of --fix")
                .add(left, findings),
            changes);
    if (completer.isEmpty()) {
      return asItIs;
    }
    if (asItIs.count(Severity.ERROR) > 0) {
      message("note: " + file + " has errors: fix them before using --assume");
      return asItIs;
    }
    if (FileKind.of(left.file(), left.bytes()) != FileKind.TOPOLOGY) {
      return asItIs;
    }
    return new CompletedLint(
            linter,
            new FindingCost(machine, followed().profile(), evaluator(), "all fixes of --fix"))
        .lint(asItIs, completed(left, completer.get()));
  }

  private CompletedLint.Completed completed(SourceText source, MachineCompleter completer) {
    CompletedMachine completed =
        completer.complete(new XmlReader().read(source.bytes(), source.file()));
    message(AssumptionOptions.summary(source.file(), completed));
    message(
        "%s: the tree of a rank takes %s elements, those of all ranks joined %s; NCCL has room for %s"
            .formatted(
                source.file(),
                completed.elementsOfRank(),
                completed.elementsFused(),
                CompletedLint.ROOM));
    return new CompletedLint.Completed(
        completed.document(), completed.elementsOfRank(), completed.elementsFused());
  }

  /** The rules of costs and caveats; those of findings with {@code --nccl all} are all. */
  private ReleaseRules followed() {
    return version.isAll() ? ReleaseRules.DEFAULT : version.rules();
  }

  private List<LintFinding> findings(
      SourceText source, Linter linter, Optional<SourceText> machine) {
    if (version.isAll()) {
      return VersionsLinter.lint(source, Optional.ofNullable(kind), machine);
    }
    return kind == null ? linter.lint(source) : linter.lint(source, kind);
  }
}
