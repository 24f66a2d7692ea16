package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.search.path.DomainFinder;
import dev.topo.visualizer.structure.MachinePaths;
import dev.topo.visualizer.view.Answer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo paths}: shows the path between every two devices. */
@Command(
    name = "paths",
    description = "The path that NCCL uses between every two devices: type, bandwidth, hops.")
final class PathsCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private MachineQuestion question = new MachineQuestion(this);

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TableFormat format = TableFormat.text;

  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    return files.writeMachines(question, format, this::answer);
  }

  private Answer answer(AskedMachine asked) {
    String name = MachineName.of(asked.files().get(0));
    // As for a job on several nodes: for one node, some releases remove the network ports.
    MachinePaths paths =
        new MachinePaths(
            name, DomainFinder.find(asked.topology(), asked.settings(), true, asked.profile()));
    Answer answer =
        switch (format) {
          case text -> paths.text();
          case tsv -> paths.tsv();
          case json -> paths.json();
        };
    return asked.answered(answer.saying(paths.sentence()), format);
  }
}
