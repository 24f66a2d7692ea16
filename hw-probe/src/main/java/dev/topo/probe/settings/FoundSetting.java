package dev.topo.probe.settings;

import dev.topo.model.settings.NcclSetting;
import java.util.List;
import java.util.Optional;

/**
 * A variable that counts for NCCL, with where it was set.
 *
 * @param origin {@code environment}, or a file with a line, {@code /etc/nccl.conf:3}
 * @param overridden other places that set it in vain
 * @param setting what NCCL knows by that name, if it does
 */
public record FoundSetting(
    String name,
    String value,
    String origin,
    List<String> overridden,
    Optional<NcclSetting> setting) {
  public FoundSetting {
    overridden = List.copyOf(overridden);
  }

  /** What it changes, a few words; empty if nothing is known of it. */
  public String effect() {
    return SettingEffects.of(name)
        .or(() -> setting.map(known -> SettingEffects.of(known.scope())))
        .orElse("");
  }
}
