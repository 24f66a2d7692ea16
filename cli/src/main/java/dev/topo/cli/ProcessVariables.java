package dev.topo.cli;

import dev.topo.model.job.SettingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The option for the environment variables of an examined process. */
final class ProcessVariables {
  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description =
          "An environment variable of the examined process, overriding that of this one; without a value it is unset; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  /**
   * The environment variables of the process, after those of the option are applied.
   *
   * @param environment the variables that it has without the option
   * @throws SettingException if an assignment has no name
   */
  Map<String, String> over(Map<String, String> environment) {
    Map<String, String> variables = new TreeMap<>(environment);
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals == 0 || assignment.isEmpty()) {
        throw new SettingException(
            "--env '" + assignment + "': expected NAME=VALUE, as in NCCL_DEBUG=INFO");
      } else if (equals < 0) {
        variables.remove(assignment);
      } else {
        variables.put(assignment.substring(0, equals), assignment.substring(equals + 1));
      }
    }
    return variables;
  }
}
