package dev.topo.search.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Profiles that no release of the list has: of two versions, and of files of the tests. */
public final class MixedProfile {
  private MixedProfile() {}

  /** The rules of a version, those with these keys as in another. */
  public static NcclProfile of(String version, String other, List<String> keys) {
    Map<String, String> entries = new LinkedHashMap<>(NcclProfile.entries(version));
    Map<String, String> others = NcclProfile.entries(other);
    for (String key : keys) {
      String value = others.get(key);
      if (value == null || value.equals(entries.put(key, value))) {
        throw new IllegalArgumentException(key + " is as in NCCL " + version);
      }
    }
    return NcclProfile.of(version, entries);
  }

  /** The rules of a release older than those of the list, from a file of the tests. */
  public static NcclProfile older(String version) {
    return NcclProfile.of(version, NcclProfile.entries(version));
  }

  /** The keys that differ between two versions. */
  public static List<String> differences(String version, String other) {
    Map<String, String> entries = NcclProfile.entries(version);
    Map<String, String> others = NcclProfile.entries(other);
    return others.keySet().stream()
        .filter(key -> !others.get(key).equals(entries.get(key)))
        .toList();
  }
}
