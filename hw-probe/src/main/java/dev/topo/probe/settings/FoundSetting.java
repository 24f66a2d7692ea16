package dev.topo.probe.settings;

import dev.topo.model.settings.NcclSetting;
import java.util.List;
import java.util.Optional;

/**
 * A variable that affects NCCL, with its origin.
 *
 * @param origin {@code environment}, or a file with a line, {@code /etc/nccl.conf:3}
 * @param overridden other places that set it without effect
 * @param setting the catalogue entry; empty if NCCL has no such setting
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

  /** What it changes, in a few words; empty if unknown. */
  public String effect() {
    return SettingEffects.of(name)
        .or(() -> setting.map(known -> SettingEffects.of(known.scope())))
        .orElse("");
  }
}
