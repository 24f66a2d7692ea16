package dev.topo.cli;

import dev.topo.cli.option.OutputFile;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.MachineList;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo machines}: lists the machines that have a name. */
@Command(
    name = "machines",
    description = "The machines and instance types of clouds that have a name, with their source.")
final class MachinesCommand extends Subcommand {
  @Mixin private OutputFile output = new OutputFile();

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextJsonOrCsv format = TextJsonOrCsv.text;

  @Override
  public Integer call() {
    Answer answer =
        switch (format) {
          case text -> MachineList.text();
          case json -> MachineList.json();
          case csv -> MachineList.csv();
        };
    output.plan(context()).write(Path.of("machines"), rendered(answer, envelope(), format));
    return ExitStatus.DONE;
  }
}
