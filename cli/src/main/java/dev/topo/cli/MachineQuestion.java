package dev.topo.cli;

import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/**
 * The options that all questions about machines share: how topology files are read, the NCCL
 * release, and NCCL's settings.
 */
class MachineQuestion {
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  private final Subcommand command;

  MachineQuestion(Subcommand command) {
    this.command = command;
  }

  /** The command that has these options. */
  Subcommand command() {
    return command;
  }

  VersionOptions version() {
    return version;
  }

  ReleaseRules rules() {
    return version.rules();
  }

  NcclProfile profile() {
    return version.profile();
  }

  /** True if the user asks for the full text output. */
  boolean isVerbose() {
    return input.isVerbose();
  }

  /** The machines of the topology files, read as the options say. */
  InputMachines machines() {
    return input.machines(command.context());
  }

  /** NCCL's settings for a machine; reports on stderr those without effect. */
  NcclSettings settings() {
    return setting.forModel(command.context(), rules());
  }

  /**
   * NCCL's settings for a job under the rules of a release. Unlike for a machine, NCCL_TOPO_FILE
   * takes effect. Reports on stderr settings without effect.
   */
  NcclSettings settings(ReleaseRules rules) {
    return setting.forJob(command.context(), rules, modelledSettings());
  }

  /**
   * Names of settings that influence the answer of this command, although they influence no answer
   * of most commands. They are not reported as without effect.
   */
  Set<String> modelledSettings() {
    return Set.of();
  }

  /** Creates a collector for the caveats of an answer that follows these rules. */
  CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    return machines().caveats(rules);
  }
}
