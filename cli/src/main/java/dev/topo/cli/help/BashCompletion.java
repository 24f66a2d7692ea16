package dev.topo.cli.help;

import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Completion for bash: picocli's script, which completes files, extended by the machines that come
 * with topo.
 */
final class BashCompletion {
  /** The last line of the function for a command, which sets the completions of the word. */
  private static final String LAST_LINE =
      "    COMPREPLY=( $(compgen -W \"${commands// /$'\\n'}${IFS}${positionals}\" -- \"${curr_word}\") )\n";

  private static final String MACHINES = "    COMPREPLY+=( $(_topo_machines \"${curr_word}\") )\n";

  private BashCompletion() {}

  static String of(CommandLine topo) {
    StringBuilder script = new StringBuilder(AutoComplete.bash("topo", topo));
    for (Map.Entry<String, CommandLine> command : topo.getSubcommands().entrySet()) {
      if (Argument.parameters(command.getValue().getCommandSpec()).stream()
          .anyMatch(Argument::isMachine)) {
        int function = script.indexOf("function _picocli_topo_" + command.getKey() + "()");
        int last = script.indexOf(LAST_LINE, function);
        script.insert(last + LAST_LINE.length(), MACHINES);
      }
    }
    return script.append(MachineCompletion.BASH).toString();
  }
}
