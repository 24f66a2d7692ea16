package dev.topo.cli;

import dev.topo.cli.option.OutputFile;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.hw.foreign.MachineImporter;
import dev.topo.hw.foreign.MachineImporter.Imported;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlWriter;
import dev.topo.visualizer.view.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo import}: converts the output of other tools to a topology file. */
@Command(
    name = "import",
    description = {
      "Writes a topology file from the output of lstopo and nvidia-smi.",
      "The files are of one machine: lstopo's XML has the PCI tree and the names of ports, nvidia-smi topo -m the NVLinks and"
          + " the types of connections, nvidia-smi -q -x the GPUs. One file is enough; more files need fewer assumptions,"
          + " which are listed on stderr. topo probe or NCCL_TOPO_DUMP_FILE on the machine itself needs none."
    })
final class ImportCommand extends Subcommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Output of lstopo (XML), nvidia-smi -q -x, nvidia-smi topo -m or -p2p r.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--assume",
      paramLabel = "DEVICES",
      description =
          "What the files do not show: gpu=h100,cpu=amd-genoa,net=400000 (topo help assume); only lstopo names the CPU.")
  private String assumption = "";

  @Mixin private OutputFile output = new OutputFile();

  @Override
  List<String> fileEndings() {
    return List.of(".xml");
  }

  @Override
  public Integer call() {
    OutputPlan plan = output.plan(context());
    MachineImporter importer = new MachineImporter(assumption);
    for (Path file : files) {
      importer.add(inputs().bytes(file, "output of lstopo or nvidia-smi"), file.toString());
    }
    Imported machine = importer.machine();
    machine.assumed().forEach(phrase -> message("assumed: " + phrase));
    String text = XmlWriter.write(machine.document());
    requireClean(text);
    plan.write(files.get(0), Answer.of(text));
    return ExitStatus.DONE;
  }

  /** Refuses a topology file in which {@code topo lint} finds an error. */
  private void requireClean(String text) {
    String name = files.get(0).toString();
    SourceText source = new SourceText(name, text.getBytes(StandardCharsets.UTF_8));
    new Linter()
        .lint(source, FileKind.TOPOLOGY).stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .findFirst()
            .ifPresent(
                error -> {
                  throw new TopologyFormatException(
                      SourceLocation.of(name),
                      "the topology file would have an error: %s [%s], expected to %s"
                          .formatted(error.message(), error.rule().id(), error.fix()));
                });
  }
}
