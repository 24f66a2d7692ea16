package dev.topo.search.rules;

import dev.topo.model.io.ResourceTable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The releases that a profile answers for: the sources of these releases were compared, and nothing
 * that is modelled differs.
 *
 * @param version the version of the profile
 * @param releases the releases, oldest first
 */
public record CoveredReleases(String version, List<NcclRelease> releases) {
  private static final String TABLE = "profiles.txt";

  public CoveredReleases {
    releases = List.copyOf(releases);
  }

  /** Those of all profiles, oldest first. */
  public static List<CoveredReleases> all() {
    return ResourceTable.lines(CoveredReleases.class, TABLE).stream()
        .map(CoveredReleases::parse)
        .toList();
  }

  private static CoveredReleases parse(String line) {
    String[] words = line.split(" +");
    return new CoveredReleases(
        words[0], Arrays.stream(words).skip(1).map(NcclRelease::parse).toList());
  }

  /** The newest of the releases that is not newer than another; empty if all are. */
  Optional<NcclRelease> nearest(NcclRelease to) {
    return releases.stream()
        .filter(release -> release.compareTo(to) <= 0)
        .max(Comparator.naturalOrder());
  }
}
