package dev.topo.probe.settings;

import dev.topo.model.diagnostic.ResourceTable;
import dev.topo.model.settings.SettingScope;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the settings change, in a few words, from the table {@code effects.txt}. */
final class SettingEffects {
  private static final Map<String, String> EFFECTS =
      ResourceTable.rows(SettingEffects.class, "effects.txt", "effect").stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  row -> row.get(0), row -> String.join(" ", row.subList(1, row.size()))));

  private SettingEffects() {}

  static Optional<String> of(String name) {
    return Optional.ofNullable(EFFECTS.get(name));
  }

  static String of(SettingScope scope) {
    return switch (scope) {
      case MACHINE -> "which devices NCCL sees";
      case PATHS -> "which links NCCL is willing to use";
      case SEARCH -> "the search for channels";
      case CONNECT -> "the number of channels and how nodes are connected";
      case TUNING -> "the choice of algorithm and protocol";
      case NOT_MODELLED -> "neither topology nor tuning";
    };
  }
}
