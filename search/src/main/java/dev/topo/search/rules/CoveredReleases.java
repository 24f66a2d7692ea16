package dev.topo.search.rules;

import dev.topo.model.io.ResourceTable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The releases that a profile answers for: the sources of these releases were compared, and nothing
 * that is modelled differs.
 *
 * @param version the version of the profile
 * @param releases the releases, oldest first
 * @param isCompared whether its answers were compared with those of NCCL's own code
 */
public record CoveredReleases(String version, List<NcclRelease> releases, boolean isCompared) {
  private static final String TABLE = "profiles.txt";

  /** Marks a profile whose answers were not compared. */
  private static final String READ = "read";

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
    List<String> words = List.of(line.split(" +"));
    boolean isRead = words.contains(READ);
    return new CoveredReleases(
        words.get(0),
        words.stream().skip(1).filter(word -> !word.equals(READ)).map(NcclRelease::parse).toList(),
        !isRead);
  }

  /** The newest of the releases that is not newer than another; empty if all are. */
  Optional<NcclRelease> nearest(NcclRelease to) {
    return releases.stream()
        .filter(release -> release.compareTo(to) <= 0)
        .max(Comparator.naturalOrder());
  }
}
