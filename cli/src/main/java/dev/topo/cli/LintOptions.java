package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.InputOptions.AssumptionOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Streams;
import dev.topo.hw.foreign.CompletedMachine;
import dev.topo.hw.foreign.MachineCompleter;
import dev.topo.hw.probe.MachineProbe;
import dev.topo.hw.probe.ProbeOptions;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.inspect.lint.UnifiedDiff;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.NamedMachine;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.verdict.CompletedLint;
import dev.topo.simulator.verdict.FileLinter;
import dev.topo.simulator.verdict.FindingCost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code topo lint}: which rules apply, and how the findings are used. */
final class LintOptions {
  /**
   * Upper limit for an input file, in bytes: far more than NCCL's 256 elements of 16 attributes
   * need.
   */
  private static final int MAX_BYTES = 16 << 20;

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

  /**
   * Refuses an empty list of files and, with {@code --fix}, standard input and compressed files,
   * which topo cannot rewrite.
   */
  void check(List<Path> files) {
    refuseIf(files.isEmpty(), "expected a FILE (--help shows an example)");
    refuseIf(
        fix && files.stream().anyMatch(Streams::isStandardInput),
        "--fix changes files, expected a FILE and not standard input");
    refuseIf(
        fix && files.stream().anyMatch(LintOptions::isCompressed),
        "--fix changes files, expected a FILE that is not compressed");
  }

  /** True if {@code --fix} rewrites the files. */
  boolean fix() {
    return fix;
  }

  /** True if changes are shown: with {@code --fix} or {@code --diff}. */
  boolean showsChanges() {
    return fix || diff;
  }

  /** The completer that {@code --assume} requests, if any. */
  Optional<MachineCompleter> completer() {
    return assumptionOptions.completer();
  }

  /**
   * Creates the linter.
   *
   * @throws IllegalArgumentException if the file of {@code --machine} is not a machine
   */
  FileLinter linter(Inputs inputs, JobEvaluator evaluator) {
    Optional<SourceText> machine = machine(inputs);
    NcclProfile profile = followedRules().profile();
    return new FileLinter(
        machine.isPresent() ? Linter.against(machine.get(), profile) : new Linter(profile),
        Optional.ofNullable(kind),
        version.isAll(),
        machine,
        new FindingCost(machine, profile, evaluator, "all fixes of --fix"));
  }

  /** True if the findings of a file fail the check: errors and, with {@code --strict}, warnings. */
  boolean isFailedBy(LintedFile file) {
    return file.count(Severity.ERROR) > 0 || (strict && file.count(Severity.WARNING) > 0);
  }

  private Optional<SourceText> machine(Inputs inputs) {
    refuseIf(machineFile != null && here, "--machine and --here cannot be combined");
    if (here) {
      String xml =
          XmlWriter.write(MachineProbe.ofThisMachine(inputs).run(ProbeOptions.DEFAULTS).system());
      return Optional.of(new SourceText("this machine", xml.getBytes(StandardCharsets.UTF_8)));
    }
    return Optional.ofNullable(machineFile).map(file -> read(file, inputs));
  }

  /**
   * True if the name of a file says that it is compressed. NCCL opens no compressed files, so a
   * file is never decompressed because of its contents alone.
   */
  static boolean isCompressed(Path file) {
    return file.toString().endsWith(".gz");
  }

  /** Reads a file and decompresses it if it is named {@code .gz}. */
  SourceText read(Path file, Inputs inputs) {
    return new SourceText(
        file.toString(),
        NamedMachine.bytes(file, inputs)
            .orElseGet(
                () ->
                    inputs.bytes(
                        file, "a file that NCCL can open", MAX_BYTES, isCompressed(file))));
  }

  /**
   * The rules that costs and caveats follow. With {@code --nccl all}, findings are those of all
   * releases, but costs and caveats follow the default release.
   */
  ReleaseRules followedRules() {
    return version.isAll() ? ReleaseRules.DEFAULT : version.rules();
  }

  /**
   * The changes to a file as a heading and a unified diff; empty if there are none or if they are
   * not shown.
   */
  String changes(SourceText source, SourceText fixed) {
    if (!showsChanges()) {
      return "";
    }
    String diffText = UnifiedDiff.of(source.file(), source.text(), fixed.text());
    String heading = fix ? ": fixed\n" : ": would be fixed\n";
    return diffText.isEmpty() ? "" : source.file() + heading + diffText + "\n";
  }

  /**
   * Adds the assumed devices to a topology file. Reports on stderr what was assumed and how many
   * XML elements the result takes in NCCL.
   */
  static CompletedLint.Completed completed(
      SourceText source, MachineCompleter completer, Streams streams) {
    CompletedMachine completed =
        completer.complete(new XmlReader().read(source.bytes(), source.file()));
    streams.message(AssumptionOptions.summary(source.file(), completed));
    streams.message(
        "%s: the tree of a rank takes %s elements, those of all ranks joined %s; NCCL has room for %s"
            .formatted(
                source.file(),
                completed.elementsOfRank(),
                completed.elementsFused(),
                CompletedLint.ROOM));
    return new CompletedLint.Completed(
        completed.document(), completed.elementsOfRank(), completed.elementsFused());
  }
}
