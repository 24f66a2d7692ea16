package dev.topo.cli.help;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Completion for fish: a {@code complete} line for each command and each of its options. */
final class FishCompletion {
  private static final String NO_COMMAND = "__fish_use_subcommand";

  private FishCompletion() {}

  static String of(CommandLine topo) {
    StringBuilder script = new StringBuilder(MachineCompletion.FISH);
    line(script, NO_COMMAND, " -f");
    options(script, NO_COMMAND, topo.getCommandSpec());
    topo.getSubcommands()
        .forEach(
            (name, command) -> {
              CommandSpec spec = command.getCommandSpec();

              line(script, NO_COMMAND, " -a " + name + " -d " + quoted(Argument.summary(spec)));
              String given = "__fish_seen_subcommand_from " + name;
              options(script, given, spec);
              Argument.parameters(spec).forEach(parameter -> parameter(script, given, parameter));
            });
    return script.toString();
  }

  private static void options(StringBuilder script, String condition, CommandSpec command) {
    for (Argument option : Argument.options(command)) {
      StringBuilder words = new StringBuilder();
      for (String name : option.names()) {
        words.append(name.startsWith("--") ? " -l " : name.length() == 2 ? " -s " : " -o ");
        words.append(name.replaceFirst("^-+", ""));
      }
      words.append(option.value().isEmpty() ? "" : option.isFile() ? " -r -F" : " -x");
      words.append(choice(option)).append(" -d ").append(quoted(option.summary()));
      line(script, condition, words.toString());
    }
  }

  private static void parameter(StringBuilder script, String condition, Argument parameter) {
    if (parameter.isMachine()) {
      line(script, condition, " -a '(__topo_machines)'");
    } else if (!parameter.isFile()) {
      line(script, condition, " -f" + choice(parameter));
    }
  }

  private static String choice(Argument argument) {
    return argument.candidates().isEmpty()
        ? ""
        : " -a " + quoted(String.join(" ", argument.candidates()));
  }

  private static void line(StringBuilder script, String condition, String words) {
    script.append("complete -c topo -n ").append(quoted(condition)).append(words).append('\n');
  }

  private static String quoted(String words) {
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
