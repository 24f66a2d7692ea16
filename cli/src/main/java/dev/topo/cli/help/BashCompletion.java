package dev.topo.cli.help;

import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The completion of bash: picocli's, which knows files, with the machines that come with topo. */
final class BashCompletion {
  /** The last line of a command's function: what completes the word. */
  private static final String LAST =
      "    COMPREPLY=( $(compgen -W \"${commands// /$'\\n'}${IFS}${positionals}\" -- \"${curr_word}\") )\n";

  private static final String MACHINES = "    COMPREPLY+=( $(_topo_machines \"${curr_word}\") )\n";

  private BashCompletion() {}

  static String of(CommandLine topo) {
    StringBuilder script = new StringBuilder(AutoComplete.bash("topo", topo));
    for (Map.Entry<String, CommandLine> command : topo.getSubcommands().entrySet()) {
      if (Argument.parameters(command.getValue().getCommandSpec()).stream()
          .anyMatch(Argument::isMachine)) {
        int function = script.indexOf("function _picocli_topo_" + command.getKey() + "()");
        int last = script.indexOf(LAST, function);
        script.insert(last + LAST.length(), MACHINES);
      }
    }
    return script.append(MachineCompletion.BASH).toString();
  }
}
