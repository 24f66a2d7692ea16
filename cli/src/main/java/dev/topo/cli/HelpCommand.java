package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.cli.help.HelpTopic;
import dev.topo.model.settings.SettingException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code topo help}: the whole help of a command, or what several commands share. */
@Command(
    name = "help",
    description = "Shows all options of a command, or explains what several commands share.",
    footer = {
      "",
      "topo COMMAND --help shows the main options only.",
      "",
      "Example: topo help predict",
      "Example: topo help assume"
    })
final class HelpCommand extends Subcommand {
  @Parameters(
      paramLabel = "COMMAND|TOPIC",
      arity = "0..1",
      description =
          "A command; or assume (--assume), job (files, nodes and settings) or status (exit status).")
  private @Nullable String name;

  @Override
  public Integer call() {
    CommandLine topo = Objects.requireNonNull(spec().parent()).commandLine();
    streams().print(text(topo, name));
    return ExitStatus.DONE;
  }

  private String text(CommandLine topo, @Nullable String name) {
    if (name == null) {
      return topo.getUsageMessage();
    }
    Optional<HelpTopic> topic = HelpTopic.find(name);
    if (topic.isPresent()) {
      return topic.get().text(helpWidth());
    }
    CommandLine command = topo.getSubcommands().get(name);
    if (command == null) {
      throw new SettingException(
          "help %s: expected a command, or %s"
              .formatted(
                  name,
                  Arrays.stream(HelpTopic.values())
                      .map(HelpTopic::label)
                      .collect(Collectors.joining(", "))));
    }
    return HelpPage.of(command.getCommandSpec(), true, helpWidth());
  }
}
