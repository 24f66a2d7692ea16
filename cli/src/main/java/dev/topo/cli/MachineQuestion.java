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
 * The options of a question about machines: how their files are read, and the release and the
 * settings that its answer follows.
 */
class MachineQuestion {
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  private final Subcommand command;

  MachineQuestion(Subcommand command) {
    this.command = command;
  }

  /** The command that asks. */
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

  /** True if a text has all that is known. */
  boolean isVerbose() {
    return input.isVerbose();
  }

  /** The machines of the files. */
  InputMachines machines() {
    return input.machines(command.inputs(), command.streams());
  }

  /** NCCL's settings for a machine; reports those without effect. */
  NcclSettings settings() {
    return setting.forModel(command.environment(), rules(), command.streams());
  }

  /**
   * NCCL's settings for a job, in which NCCL_TOPO_FILE is followed; reports those without effect.
   */
  NcclSettings settings(ReleaseRules rules) {
    return setting.forJob(command.environment(), rules, command.streams(), followed());
  }

  /** Settings that the answer follows although those of other commands do not. */
  Set<String> followed() {
    return Set.of();
  }

  /** New caveats of an answer by these rules. */
  CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    return machines().caveats(rules);
  }
}
