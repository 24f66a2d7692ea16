package dev.topo.hw.library;

import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingCatalog.NcclSetting;
import dev.topo.model.job.SettingCatalog.NcclSetting.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds settings that probably do not have the effect that their author expects. */
final class SettingCheck {
  /** Names that older PyTorch releases read; newer ones use the prefix TORCH_. */
  private static final Set<String> PYTORCH_NAMES =
      Set.of("NCCL_ASYNC_ERROR_HANDLING", "NCCL_BLOCKING_WAIT", "NCCL_DESYNC_DEBUG");

  /** Names that build scripts and container images use. */
  private static final Set<String> BUILD_NAMES =
      Set.of("NCCL_HOME", "NCCL_ROOT", "NCCL_VERSION", "NCCL_INCLUDE_DIR", "NCCL_LIB_DIR");

  /** Words that users write instead of 0 or 1; no text setting has such a value. */
  private static final Set<String> WORDS = Set.of("true", "false", "yes", "no", "on", "off");

  /**
   * Suffix of settings for files that NCCL writes ({@code
   * nccl:src/graph/xml.cc#ncclTopoDumpXmlToFile}).
   */
  private static final String DUMP_FILE = "_DUMP_FILE";

  private final SettingSources sources;
  private final String nccl;
  private final List<Finding> problems = new ArrayList<>();

  /**
   * Check of settings.
   *
   * @param nccl NCCL release whose settings are known
   */
  SettingCheck(SettingSources sources, String nccl) {
    this.sources = sources;
    this.nccl = nccl;
  }

  List<Finding> problems() {
    sources.files().forEach(this::lines);
    sources.settings().forEach(this::setting);
    sources.forModel().harms().values().forEach(harm -> add("harmful", harm));
    return List.copyOf(problems);
  }

  private void add(String code, Object... values) {
    problems.add(Finding.of(code, values));
  }

  private void lines(ConfFile file) {
    file.passedOver().forEach(number -> add("conf-line", file.path(), number));
  }

  private void setting(FoundSetting setting) {
    String where = setting.origin() + ": " + setting.name();
    if (!setting.overridden().isEmpty()) {
      add("overridden", where, String.join(", ", setting.overridden()));
    }
    if (setting.name().endsWith(DUMP_FILE) && setting.value().isBlank()) {
      add("dump-file-empty", where);
    } else if (setting.setting().isPresent()) {
      value(setting, setting.setting().get(), where);
    } else if (!setting.effect().isEmpty()) {
      return;
    } else if (!setting.name().equals(trimmed(setting.name()))) {
      add("conf-name", setting.origin(), setting.name(), trimmed(setting.name()));
    } else {
      unknown(setting.name(), where);
    }
  }

  private static String trimmed(String name) {
    return name.replaceFirst("^\\s*export\\s+", "").strip();
  }

  private void unknown(String name, String where) {
    if (PYTORCH_NAMES.contains(name)) {
      add("setting-of-pytorch", where, name);
    } else if (BUILD_NAMES.contains(name)) {
      add("setting-of-builds", where);
    } else if (name.startsWith("NCCL_")) {
      List<String> similar = SettingCatalog.similarTo(name);
      add(
          "unknown-setting",
          where,
          nccl,
          similar.isEmpty() ? "remove it" : "did you mean " + String.join(" or ", similar) + "?");
    }
  }

  private void value(FoundSetting setting, NcclSetting known, String where) {
    String value = setting.value();
    if (value.endsWith("\r")) {
      add("conf-line-end", where);
    } else if (value.length() > 1 && (value.startsWith("\"") || value.startsWith("'"))) {
      add("quotes", where, value);
    } else if (WORDS.contains(value.toLowerCase(Locale.ROOT))) {
      add("word", where, value);
    } else if (!value.isEmpty() && !SettingSources.fits(setting)) {
      add(
          "value",
          where,
          value,
          known.kind() == Kind.PATH_LEVEL
              ? "is not understood, NCCL takes its default"
              : "is no number, which NCCL reads as far as it is one, else as 0",
          known.expected());
    }
  }
}
