package dev.topo.probe.settings;

import dev.topo.model.diagnostic.Severity;
import dev.topo.model.settings.NcclSetting.Kind;
import dev.topo.model.settings.SettingCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds settings that do not have the effect that their author probably expects. */
final class SettingCheck {
  /** Names that PyTorch once read; its own documentation has them with TORCH_ before them. */
  private static final Set<String> OF_PYTORCH =
      Set.of("NCCL_ASYNC_ERROR_HANDLING", "NCCL_BLOCKING_WAIT", "NCCL_DESYNC_DEBUG");

  /** Names that builds and images use. */
  private static final Set<String> OF_BUILDS =
      Set.of("NCCL_HOME", "NCCL_ROOT", "NCCL_VERSION", "NCCL_INCLUDE_DIR", "NCCL_LIB_DIR");

  /** Words for numbers; no valid name of anything. */
  private static final Set<String> WORDS = Set.of("true", "false", "yes", "no", "on", "off");

  /** Files that NCCL writes ({@code nccl:src/graph/xml.cc#ncclTopoDumpXmlToFile}). */
  private static final String DUMP_FILE = "_DUMP_FILE";

  private final SettingSources sources;
  private final List<Finding> problems = new ArrayList<>();

  SettingCheck(SettingSources sources) {
    this.sources = sources;
  }

  List<Finding> problems() {
    sources.files().forEach(this::lines);
    sources.settings().forEach(this::setting);
    return List.copyOf(problems);
  }

  private void add(Severity severity, String code, String text, String advice) {
    problems.add(new Finding(severity, code, text, advice));
  }

  private void lines(ConfFile file) {
    for (int number : file.passedOver()) {
      add(
          Severity.WARNING,
          "conf-line",
          file.path() + ":" + number + ": NCCL passes over a line without '='",
          "write NAME=VALUE, or # at the beginning of a comment");
    }
  }

  private void setting(FoundSetting setting) {
    String where = setting.origin() + ": " + setting.name();
    if (!setting.overridden().isEmpty()) {
      add(
          Severity.NOTE,
          "overridden",
          where + " wins over " + String.join(", ", setting.overridden()),
          "leave it in one place only");
    }
    if (setting.name().endsWith(DUMP_FILE) && setting.value().isBlank()) {
      add(
          Severity.WARNING,
          "dump-file-empty",
          where + " is empty: NCCL cannot open the file and says so only with NCCL_DEBUG=INFO",
          "write the path right behind the '=', without a blank; topo probe writes the topology"
              + " without NCCL");
    } else if (setting.setting().isPresent()) {
      value(setting, where);
    } else if (!setting.effect().isEmpty()) {
      return;
    } else if (!setting.name().equals(trimmed(setting.name()))) {
      add(
          Severity.WARNING,
          "conf-name",
          setting.origin() + ": '" + setting.name() + "' is not read as " + trimmed(setting.name()),
          "write NAME=VALUE without blanks and without export");
    } else {
      unknown(setting.name(), where);
    }
  }

  private static String trimmed(String name) {
    return name.replaceFirst("^\\s*export\\s+", "").strip();
  }

  private void unknown(String name, String where) {
    if (OF_PYTORCH.contains(name)) {
      add(
          Severity.NOTE,
          "setting-of-pytorch",
          where + " is not NCCL's but was PyTorch's",
          "set TORCH_" + name);
    } else if (OF_BUILDS.contains(name)) {
      add(
          Severity.NOTE,
          "setting-of-builds",
          where + " is not read by NCCL when it runs",
          "nothing");
    } else if (name.startsWith("NCCL_")) {
      List<String> similar = SettingCatalog.similarTo(name);
      add(
          Severity.WARNING,
          "unknown-setting",
          where + " is not a setting of NCCL 2.28.9: it changes nothing",
          similar.isEmpty() ? "remove it" : "did you mean " + String.join(" or ", similar) + "?");
    }
  }

  private void value(FoundSetting setting, String where) {
    String value = setting.value();
    if (value.endsWith("\r")) {
      add(
          Severity.WARNING,
          "conf-line-end",
          where + " ends with a carriage return, which NCCL takes for a part of the value",
          "write the file with Unix line ends");
      return;
    }
    if (value.length() > 1 && (value.startsWith("\"") || value.startsWith("'"))) {
      add(
          Severity.WARNING,
          "quotes",
          where + "=" + value + ": NCCL takes the quotes for a part of the value",
          "write it without quotes");
      return;
    }
    if (WORDS.contains(value.toLowerCase(Locale.ROOT))) {
      add(
          Severity.WARNING,
          "word",
          where + "=" + value + ": NCCL reads a number there, and this word as 0",
          "write 1 or 0");
      return;
    }
    Kind kind = setting.setting().map(known -> known.kind()).orElse(Kind.TEXT);
    if (!value.isEmpty() && !SettingSources.fits(setting)) {
      String expected = setting.setting().map(known -> known.expected()).orElse("");
      add(
          Severity.WARNING,
          "value",
          where
              + "="
              + value
              + (kind == Kind.INTEGER
                  ? ": is no number, which NCCL reads as far as it is one, else as 0"
                  : ": is not understood, NCCL takes its default"),
          "expected " + expected);
    }
  }
}
