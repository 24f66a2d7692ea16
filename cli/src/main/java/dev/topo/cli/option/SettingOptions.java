package dev.topo.cli.option;

import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.SettingVersions.SettingNotes;
import dev.topo.search.tuning.EnablingRules;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** Options for NCCL's settings. */
public final class SettingOptions {
  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description = "An NCCL setting, as in NCCL_CROSS_NIC=1; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--env-from-process",
      description = "Also use the NCCL settings of this process; --env takes precedence.")
  private boolean fromProcess;

  /** The settings for questions about a topology; reports on stderr those without effect. */
  public NcclSettings forModel(CommandContext context, ReleaseRules rules) {
    return forModel(context, rules, false, Set.of());
  }

  /**
   * The settings for questions about a job, where NCCL_TOPO_FILE takes effect.
   *
   * @param modelled names of settings that influence this answer although they influence no answer
   *     of most commands
   */
  public NcclSettings forJob(CommandContext context, ReleaseRules rules, Set<String> modelled) {
    return forModel(context, rules, true, modelled);
  }

  private NcclSettings forModel(
      CommandContext context,
      ReleaseRules rules,
      boolean followsTopologyFile,
      Set<String> modelled) {
    NcclSettings settings = settings(context, rules);
    if (settings.values().isEmpty()) {
      return settings;
    }
    Streams streams = context.streams();
    EnablingRules.check(rules.profile(), settings);
    withoutInfluence(settings.without(modelled), streams);
    absent(settings, rules, streams);
    if (!followsTopologyFile && settings.text("NCCL_TOPO_FILE").isPresent()) {
      streams.message(
          "note: NCCL_TOPO_FILE ignored: affects only topo probe; whatif 'env NCCL_TOPO_FILE=…' and predict"
              + " --actual compare two");
    }
    return settings;
  }

  /** Reports on stderr the settings that influence no answer. */
  public static void withoutInfluence(NcclSettings settings, Streams streams) {
    SettingNotes.withoutInfluence(settings).forEach(streams::message);
  }

  /** Reports on stderr the settings that a release does not have and therefore ignores. */
  public static void absent(NcclSettings settings, ReleaseRules rules, Streams streams) {
    SettingNotes.absent(settings, rules).forEach(streams::message);
  }

  /** The settings for probing a machine; reports on stderr those without effect. */
  public NcclSettings forMachine(CommandContext context, ReleaseRules rules) {
    NcclSettings settings = settings(context, rules);
    for (String name : settings.names(EnumSet.complementOf(EnumSet.of(SettingScope.MACHINE)))) {
      context.streams().message("note: " + name + " ignored: no effect on the topology");
    }
    return settings;
  }

  private NcclSettings settings(CommandContext context, ReleaseRules rules) {
    NcclSettings settings = NcclSettings.parse(assignments);
    return fromProcess ? fromProcess(context, rules).with(settings) : settings;
  }

  private static NcclSettings fromProcess(CommandContext context, ReleaseRules rules) {
    Map<String, String> known = new TreeMap<>(context.environment());
    known.keySet().removeIf(name -> SettingCatalog.find(name).isEmpty());
    new TreeSet<>(context.environment().keySet())
        .stream()
            .filter(name -> name.startsWith("NCCL_") && !known.containsKey(name))
            .map(
                name ->
                    "note: " + name + " is not a setting of NCCL " + rules.named() + ", ignored")
            .forEach(context.streams()::message);
    return NcclSettings.of(known);
  }
}
