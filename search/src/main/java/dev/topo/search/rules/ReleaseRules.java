package dev.topo.search.rules;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecText;
import java.util.Comparator;
import java.util.List;

/**
 * The rules that answer for a release of NCCL.
 *
 * @param release the release
 * @param profile its rules, or the nearest ones where it has none
 * @param fit how well they fit
 */
public record ReleaseRules(NcclRelease release, NcclProfile profile, Fit fit) {
  /** How well rules fit a release. */
  public enum Fit {
    /** The source of the release was compared: the rules are its own. */
    COVERED,
    /** The rules are its own, read from its source; what it answers was not compared. */
    READ,
    /** The rules of the nearest older release. */
    NEAREST_OLDER,
    /** The newest rules there are, for a release that is newer still. */
    NEWEST
  }

  public static final ReleaseRules DEFAULT = of(NcclProfile.DEFAULT);

  /** The rules of the release that a profile is named after. */
  public static ReleaseRules of(NcclProfile profile) {
    return of(NcclRelease.parse(profile.version()));
  }

  /**
   * The rules for a release.
   *
   * @throws UnknownReleaseException if it is older than the oldest that has rules
   */
  public static ReleaseRules of(NcclRelease release) {
    List<CoveredReleases> profiles = CoveredReleases.all();
    CoveredReleases oldest = profiles.get(0);
    CoveredReleases newest = profiles.get(profiles.size() - 1);
    CoveredReleases nearest =
        profiles.stream()
            .filter(covered -> covered.nearest(release).isPresent())
            .max(Comparator.comparing(covered -> covered.nearest(release).orElseThrow()))
            .orElseThrow(
                () ->
                    new UnknownReleaseException(
                        SpecText.of(
                            "%s: expected %s or newer, see %s list",
                            release, oldest.version(), SpecField.RELEASE)));
    Fit fit = nearest.equals(newest) ? Fit.NEWEST : Fit.NEAREST_OLDER;
    return new ReleaseRules(
        release,
        NcclProfile.of(nearest.version()),
        nearest.releases().contains(release) ? own(nearest) : fit);
  }

  private static Fit own(CoveredReleases covered) {
    return covered.isCompared() ? Fit.COVERED : Fit.READ;
  }

  /** The oldest release that has rules. */
  public static NcclRelease oldest() {
    return CoveredReleases.all().get(0).releases().get(0);
  }

  /** True if these are the rules that answer for a release. */
  public boolean answersFor(NcclRelease other) {
    return release.equals(other)
        || (isOwn()
            && CoveredReleases.all().stream()
                .anyMatch(
                    covered ->
                        covered.version().equals(profile.version())
                            && covered.releases().contains(other)));
  }

  /** The version to name in an answer: the release, or the one whose rules were taken. */
  public String named() {
    return isOwn() ? release.toString() : profile.version();
  }

  /** True if these are the release's own rules, compared or read. */
  public boolean isOwn() {
    return fit == Fit.COVERED || fit == Fit.READ;
  }
}
