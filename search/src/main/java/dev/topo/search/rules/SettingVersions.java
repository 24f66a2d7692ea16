package dev.topo.search.rules;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.NcclSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which versions have a setting, where not all have; from the table {@code settings.txt}. */
public final class SettingVersions {
  private static final List<String> VERSIONS = NcclProfile.versions();
  private static final Map<String, Range> BY_NAME = read();

  /**
   * The versions with a setting, by their place among all.
   *
   * @param first the first
   * @param last the last
   */
  private record Range(int first, int last) {}

  private SettingVersions() {}

  private static Map<String, Range> read() {
    Map<String, Range> ranges = new TreeMap<>();
    for (String line : ResourceTable.lines(SettingVersions.class, "settings.txt")) {
      String[] words = line.split(" +");
      ranges.put(
          words[0],
          new Range(
              VERSIONS.indexOf(words[1]),
              words.length > 2 ? VERSIONS.indexOf(words[2]) : VERSIONS.size() - 1));
    }
    return ranges;
  }

  /**
   * Why a version ignores a setting: {@code came with 2.23.4}; empty if it has it, or no version
   * does.
   */
  public static Optional<String> absence(String name, NcclProfile profile) {
    Range range = BY_NAME.get(name);
    int place = VERSIONS.indexOf(profile.version());
    if (range == null || place < 0 || (place >= range.first && place <= range.last)) {
      return Optional.empty();
    }
    return Optional.of(
        place < range.first
            ? "came with " + VERSIONS.get(range.first)
            : "was in NCCL up to " + VERSIONS.get(range.last));
  }

  /** The settings that a version has. */
  static NcclSettings existing(NcclSettings settings, NcclProfile profile) {
    Map<String, String> values = new TreeMap<>(settings.values());
    values.keySet().removeIf(name -> absence(name, profile).isPresent());
    return values.size() == settings.values().size() ? settings : NcclSettings.of(values);
  }
}
