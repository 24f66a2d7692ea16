package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.visualizer.structure.MachineJson;
import dev.topo.visualizer.structure.MachineText;
import dev.topo.visualizer.view.Answer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo show}: shows the machine as a tree. */
@Command(
    name = "show",
    description = "The machine as NCCL sees it: a tree with link types and bandwidths.")
final class ShowCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private MachineQuestion question = new MachineQuestion(this);

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    return files.writeMachines(question, format, this::answer);
  }

  private Answer answer(AskedMachine asked) {
    String name = MachineName.of(asked.files().get(0));
    Topology seen = asked.topology().seen(asked.settings().nicMerging(), asked.settings().hcas());
    Answer answer =
        format == TextOrJson.json ? MachineJson.of(name, seen) : Answer.of(MachineText.of(seen));
    return asked.answered(answer.saying(MachineText.sentence(name, seen)), format);
  }
}
