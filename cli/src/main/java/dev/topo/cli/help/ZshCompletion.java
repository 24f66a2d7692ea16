package dev.topo.cli.help;

import dev.topo.model.QuantityFormat;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Completion for zsh: a function {@code _topo} that calls zsh's {@code _arguments}. */
final class ZshCompletion {
  private ZshCompletion() {}

  static String of(CommandLine topo) {
    StringBuilder script = new StringBuilder("#compdef topo\n\n");
    script.append(MachineCompletion.ZSH).append("_topo() {\n");
    script.append("  local -a commands line\n  local state state_descr context\n");
    script.append("  commands=(\n");
    topo.getSubcommands()
        .forEach(
            (name, command) ->
                script
                    .append("    ")
                    .append(quoted(name + ":" + Argument.summary(command.getCommandSpec())))
                    .append('\n'));
    script.append("  )\n  _arguments -C \\\n");
    append(script, "    ", Argument.options(topo.getCommandSpec()));
    script.append("    '1: :{_describe command commands}' \\\n    '*:: :->arguments'\n");
    script.append("  [[ $state == arguments ]] || return 0\n  case $line[1] in\n");
    topo.getSubcommands()
        .forEach(
            (name, command) -> {
              CommandSpec spec = command.getCommandSpec();
              script.append("    ").append(name).append(")\n      _arguments -s \\\n");
              append(script, "        ", Argument.options(spec));
              append(script, "        ", Argument.parameters(spec));
              script.append("        && return 0\n      ;;\n");
            });
    return script
        .append("  esac\n}\n\n")
        .append("if [[ $funcstack[1] == _topo ]]; then _topo \"$@\"; else compdef _topo topo; fi\n")
        .toString();
  }

  private static void append(StringBuilder script, String indent, List<Argument> arguments) {
    int position = 1;
    for (Argument argument : arguments) {
      if (argument.names().isEmpty()) {
        String positionSpec = argument.isRepeatable() ? "*" : String.valueOf(position++);
        line(script, indent, positionSpec + ":" + value(argument));
      }
      for (String name : argument.names()) {
        String others =
            argument.isRepeatable() ? "*" : "(" + String.join(" ", argument.names()) + ")";
        // A long option takes its value after "=" or as the next word, a short one also without a
        // blank.
        String separator = argument.value().isEmpty() ? "" : name.startsWith("--") ? "=" : "+";
        String value = argument.value().isEmpty() ? "" : ":" + value(argument);
        line(
            script,
            indent,
            others + name + separator + "[" + escaped(argument.summary()) + "]" + value);
      }
    }
  }

  private static void line(StringBuilder script, String indent, String specification) {
    script.append(indent).append(quoted(specification)).append(" \\\n");
  }

  private static String value(Argument argument) {
    String words = QuantityFormat.joined(" ", argument.candidates(), ZshCompletion::escaped);
    return escaped(argument.value()) + ":" + choice(words, argument);
  }

  /** The zsh action that completes a value: names, files, or both if the value may be either. */
  private static String choice(String words, Argument argument) {
    if (words.isEmpty()) {
      return argument.isMachine() ? "{_topo_machines; _files}" : argument.isFile() ? "_files" : " ";
    }
    return argument.isFile() ? "{compadd -- " + words + "; _files}" : "(" + words + ")";
  }

  private static String escaped(String words) {
    return words.replaceAll("([\\[\\]:\\\\])", "\\\\$1");
  }

  private static String quoted(String words) {
    return "'" + words.replace("'", "'\\''") + "'";
  }
}
