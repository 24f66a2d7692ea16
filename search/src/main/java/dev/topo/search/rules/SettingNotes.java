package dev.topo.search.rules;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingScope;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Notes on settings that are correct and have no effect on an answer, a sentence each. */
public final class SettingNotes {
  private SettingNotes() {}

  /** The settings that no answer depends on. */
  public static List<String> withoutInfluence(NcclSettings settings) {
    return settings.names(Set.of(SettingScope.NO_INFLUENCE)).stream()
        .map(name -> "note: " + name + " ignored: no effect on what topo models")
        .toList();
  }

  /** The settings that a version does not have, and ignores. */
  public static List<String> absent(NcclSettings settings, ReleaseRules rules) {
    return settings.values().keySet().stream()
        .flatMap(
            name ->
                SettingVersions.absence(name, rules.profile())
                    .map(
                        why ->
                            Stream.of(
                                "note: %s ignored: NCCL %s has no such setting, it %s"
                                    .formatted(name, rules.named(), why)))
                    .orElseGet(Stream::empty))
        .toList();
  }
}
