package dev.topo.cli;

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
import dev.topo.model.job.SettingException;
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

/** The options of {@code topo lint} for the rules, and for what becomes of the findings. */
final class LintOptions {
  /** Far more than a file of NCCL has; 256 elements of 16 attributes fit in it. */
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

  /** Refuses files that cannot be changed where they are to be, and none. */
  void check(List<Path> files) {
    if (files.isEmpty()) {
      throw new SettingException("expected a FILE (--help shows an example)");
    }
    if (fix && files.stream().anyMatch(Streams::isStandardInput)) {
      throw new SettingException("--fix changes files, expected a FILE and not standard input");
    }
    if (fix && files.stream().anyMatch(LintOptions::isPacked)) {
      throw new SettingException("--fix changes files, expected a FILE that is not compressed");
    }
  }

  /** True if files are changed. */
  boolean fix() {
    return fix;
  }

  /** True if changes are shown. */
  boolean hasChanges() {
    return fix || diff;
  }

  /** Completer of files, if the user wants it. */
  Optional<MachineCompleter> completer() {
    return assumptionOptions.completer();
  }

  /**
   * The linter.
   *
   * @throws IllegalArgumentException if the machine to compare with is none
   */
  FileLinter linter(Inputs inputs, JobEvaluator evaluator) {
    Optional<SourceText> machine = machine(inputs);
    NcclProfile profile = followed().profile();
    return new FileLinter(
        machine.isPresent() ? Linter.against(machine.get(), profile) : new Linter(profile),
        Optional.ofNullable(kind),
        version.isAll(),
        machine,
        new FindingCost(machine, profile, evaluator, "all fixes of --fix"));
  }

  /** True if findings make the exit status that of a failed check. */
  boolean hasFailed(LintedFile file) {
    return file.count(Severity.ERROR) > 0 || (strict && file.count(Severity.WARNING) > 0);
  }

  private Optional<SourceText> machine(Inputs inputs) {
    if (machineFile != null && here) {
      throw new SettingException("--machine and --here cannot be combined");
    }
    if (here) {
      String xml =
          XmlWriter.write(MachineProbe.ofThisMachine(inputs).run(ProbeOptions.DEFAULTS).system());
      return Optional.of(new SourceText("this machine", xml.getBytes(StandardCharsets.UTF_8)));
    }
    return Optional.ofNullable(machineFile).map(file -> read(file, inputs));
  }

  /** NCCL opens no compressed file: only one that says by its name what it is, is unpacked. */
  static boolean isPacked(Path file) {
    return file.toString().endsWith(".gz");
  }

  /** A file, unpacked if it is compressed. */
  SourceText read(Path file, Inputs inputs) {
    return new SourceText(
        file.toString(),
        inputs.bytes(file, "a file that NCCL can open", MAX_BYTES, isPacked(file)));
  }

  /** The rules of costs and caveats; those of findings with {@code --nccl all} are all. */
  ReleaseRules followed() {
    return version.isAll() ? ReleaseRules.DEFAULT : version.rules();
  }

  /** Text of the changes to a file. */
  String changes(SourceText source, SourceText fixed) {
    if (!hasChanges()) {
      return "";
    }
    String lines = UnifiedDiff.of(source.file(), source.text(), fixed.text());
    String done = fix ? ": fixed\n" : ": would be fixed\n";
    return lines.isEmpty() ? "" : source.file() + done + lines + "\n";
  }

  /** A file with the devices that are assumed; reports them on stderr. */
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
