package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Settings of a process, with their origins. Sources in order of precedence: the environment; the
 * file that {@code NCCL_CONF_FILE} names, otherwise {@code .nccl.conf} in the user's home
 * directory; {@code /etc/nccl.conf}. Within a file the first line for a name wins ({@code
 * nccl:src/misc/param.cc#initEnvFunc}, which sets only unset variables). An environment plugin,
 * which may change settings, is not considered.
 *
 * @param files the existing files that NCCL reads, in its order
 * @param settings the effective settings, by name
 */
public record SettingSources(
    Map<String, String> environment, List<ConfFile> files, List<FoundSetting> settings) {
  /** Variables of other libraries that affect NCCL. */
  private static final List<String> OTHERS =
      List.of("CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "LD_PRELOAD");

  private static final String PREFIX = "NCCL_";
  private static final String ENVIRONMENT = "environment";
  private static final String SYSTEM_FILE = "/etc/nccl.conf";

  public SettingSources {
    environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    files = List.copyOf(files);
    settings = List.copyOf(settings);
  }

  /**
   * Reads the files of a machine.
   *
   * @param home home directory in the user database, which NCCL uses instead of {@code HOME}
   */
  public static SettingSources read(FileTree tree, Map<String, String> environment, String home) {
    String named = environment.getOrDefault("NCCL_CONF_FILE", "");
    String user = named.isEmpty() ? home + "/.nccl.conf" : named;
    List<ConfFile> files = new ArrayList<>();
    for (String path : List.of(user, SYSTEM_FILE)) {
      tree.text(FileTree.normal(path))
          .map(text -> ConfFile.parse(path, text))
          .ifPresent(files::add);
    }
    return new SettingSources(environment, files, merge(environment, files));
  }

  /** Value that a variable or a file gives to a setting. */
  private record Assignment(String name, String value, String origin) {}

  private static List<FoundSetting> merge(Map<String, String> environment, List<ConfFile> files) {
    List<Assignment> assignments = new ArrayList<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX) || OTHERS.contains(name)) {
            assignments.add(new Assignment(name, value, ENVIRONMENT));
          }
        });
    for (ConfFile file : files) {
      for (ConfFile.Line line : file.lines()) {
        assignments.add(
            new Assignment(line.name(), line.value(), file.path() + ":" + line.number()));
      }
    }
    return assignments.stream()
        .collect(Collectors.groupingBy(Assignment::name, TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(SettingSources::found)
        .toList();
  }

  private static FoundSetting found(List<Assignment> assignments) {
    Assignment first = assignments.get(0);
    return new FoundSetting(
        first.name(),
        first.value(),
        first.origin(),
        assignments.stream().skip(1).map(Assignment::origin).toList(),
        SettingCatalog.find(first.name()));
  }

  /** Environment with the settings from files. */
  public Map<String, String> effective() {
    Map<String, String> merged = new LinkedHashMap<>(environment);
    settings.forEach(setting -> merged.putIfAbsent(setting.name(), setting.value()));
    return Collections.unmodifiableMap(merged);
  }

  /** Settings that the model supports: existing names with valid values. */
  public NcclSettings forModel() {
    Map<String, String> fit = new TreeMap<>();
    for (FoundSetting setting : settings) {
      if (setting.setting().isPresent() && fits(setting)) {
        fit.put(setting.name(), setting.value());
      }
    }
    return NcclSettings.of(fit);
  }

  static boolean fits(FoundSetting setting) {
    try {
      return NcclSettings.of(Map.of(setting.name(), setting.value()))
          .text(setting.name())
          .isPresent();
    } catch (SettingException e) {
      return false;
    }
  }

  /**
   * Settings that probably do not have the effect that their author expects.
   *
   * @param nccl NCCL release whose settings are known, {@code 2.28.9}
   */
  public List<Finding> problems(String nccl) {
    return new SettingCheck(this, nccl).problems();
  }
}
