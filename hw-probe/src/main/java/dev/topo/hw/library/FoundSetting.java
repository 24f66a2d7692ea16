package dev.topo.hw.library;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.SettingCatalog.NcclSetting;
import dev.topo.model.job.SettingCatalog.SettingScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Variable that affects NCCL, with its origin.
 *
 * @param origin {@code environment}, or a file with a line, {@code /etc/nccl.conf:3}
 * @param overridden other origins that set it without effect
 * @param setting the catalogue entry; empty if NCCL has no such setting
 */
public record FoundSetting(
    String name,
    String value,
    String origin,
    List<String> overridden,
    Optional<NcclSetting> setting) {
  /** Effects of settings, in a few words. */
  private static final Map<String, String> EFFECTS =
      ResourceTable.rows(FoundSetting.class, "effects.txt", "effect").stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  row -> row.get(0), row -> String.join(" ", row.subList(1, row.size()))));

  public FoundSetting {
    overridden = List.copyOf(overridden);
  }

  /** Effect of the setting, in a few words; empty if unknown. */
  public String effect() {
    return Optional.ofNullable(EFFECTS.get(name))
        .or(() -> setting.map(known -> effect(known.scope())))
        .orElse("");
  }

  private static String effect(SettingScope scope) {
    return switch (scope) {
      case MACHINE -> "which devices NCCL sees";
      case PATHS -> "which links NCCL is willing to use";
      case SEARCH -> "the search for channels";
      case CONNECT -> "the number of channels and how nodes are connected";
      case TUNING -> "the choice of algorithm and protocol";
      case BUFFERS -> "what NCCL runs for calls on registered buffers and windows";
      case NVLINK_DOMAIN -> "which nodes are one NVLink domain";
      case TRANSPORT, NOT_MODELLED, NO_INFLUENCE -> "neither topology nor tuning";
    };
  }
}
