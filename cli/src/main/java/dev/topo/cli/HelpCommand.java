package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.cli.help.HelpTopic;
import dev.topo.cli.help.ManPage;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * {@code topo help}: prints the full help of a command, as text or man page, or a topic that
 * several commands share.
 */
@Command(
    name = "help",
    description =
        "All options of a command, as text or man page; or a topic that several commands share.")
final class HelpCommand extends Subcommand {
  /** The ending of man pages: section 1 of the manual contains programs. */
  private static final String SECTION = ".1";

  /** Output formats of the help. */
  enum HelpFormat implements Format {
    text,
    man
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "COMMAND|TOPIC",
      completionCandidates = CommandTable.Names.class,
      description =
          "A command (default: topo itself); or assume (--assume), job (files, nodes and settings) or status (exit status).")
  private @Nullable String name;

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private HelpFormat format = HelpFormat.text;

  @Option(
      names = "--out-dir",
      paramLabel = "DIR",
      description =
          "With --format man: write topo.1 and one page for each command, such as topo-predict.1, to this folder.")
  private @Nullable Path folder;

  @Override
  public Integer call() {
    if (folder != null) {
      writePages(folder);
      return ExitStatus.DONE;
    }
    plan(null).write(Path.of("help"), Answer.of(text()));
    return ExitStatus.DONE;
  }

  private String text() {
    if (format == HelpFormat.man) {
      return ManPage.of(command(), Json.TOPO_VERSION);
    }
    Optional<HelpTopic> topic = Optional.ofNullable(name).flatMap(HelpTopic::find);
    if (topic.isPresent()) {
      return topic.get().text(context().helpWidth());
    }
    return name == null
        ? topo().getUsageMessage(CommandLine.Help.Ansi.OFF)
        : HelpPage.of(command().getCommandSpec(), true, context().helpWidth());
  }

  private CommandLine command() {
    if (name == null) {
      return topo();
    }
    CommandLine command = topo().getSubcommands().get(name);
    if (command == null) {
      throw new ParameterException(
          spec().commandLine(), "there is no command '" + name + "' and no topic of this name");
    }
    return command;
  }

  private void writePages(Path to) {
    if (format != HelpFormat.man || name != null) {
      throw new ParameterException(
          spec().commandLine(), "--out-dir: expected with --format man and without a COMMAND");
    }
    List<CommandLine> commands = new ArrayList<>(List.of(topo()));
    commands.addAll(topo().getSubcommands().values());
    List<Path> names = commands.stream().map(ManPage::name).map(Path::of).toList();
    OutputPlan plan = OutputPlan.inDirectory(to, names, SECTION, inputs());
    for (int i = 0; i < names.size(); i++) {
      plan.write(names.get(i), Answer.of(ManPage.of(commands.get(i), Json.TOPO_VERSION)));
    }
  }
}
