package dev.topo.search.rules;

import dev.topo.model.Last;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules that apply to a release of NCCL.
 *
 * @param release the release
 * @param profile its rules, or the nearest ones where it has none
 * @param fit how well they fit
 */
public record ReleaseRules(NcclRelease release, NcclProfile profile, Fit fit) {
  /** How well rules fit a release. */
  public enum Fit {
    /** The release's own rules, whose results were compared with those of its code. */
    COVERED,
    /** The release's own rules, read from its source; no result was compared. */
    READ,
    /** The rules of the nearest older release. */
    NEAREST_OLDER,
    /** The newest rules, for a release that is newer still. */
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
   * @throws UnknownReleaseException if it is older than the oldest release with rules
   */
  public static ReleaseRules of(NcclRelease release) {
    List<CoveredReleases> profiles = CoveredReleases.all();
    CoveredReleases oldest = profiles.get(0);
    CoveredReleases newest = Last.of(profiles);
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

  /** The oldest release with rules. */
  public static NcclRelease oldest() {
    return CoveredReleases.all().get(0).releases().get(0);
  }

  /** True if these rules apply to a release. */
  public boolean answersFor(NcclRelease other) {
    return release.equals(other)
        || (isOwn()
            && CoveredReleases.all().stream()
                .anyMatch(
                    covered ->
                        covered.version().equals(profile.version())
                            && covered.releases().contains(other)));
  }

  /** The version to report: the release, or the version whose rules were used. */
  public String named() {
    return isOwn() ? release.toString() : profile.version();
  }

  /** True if these are the release's own rules, compared or read. */
  public boolean isOwn() {
    return fit == Fit.COVERED || fit == Fit.READ;
  }

  /**
   * The releases that a profile covers: their sources were compared, and nothing that is modelled
   * differs.
   *
   * @param version the version of the profile
   * @param releases the releases, oldest first
   * @param isCompared whether its results were compared with those of NCCL's own code
   */
  public record CoveredReleases(String version, List<NcclRelease> releases, boolean isCompared) {
    private static final String TABLE = "profiles.txt";

    /** Marks a profile whose results were not compared. */
    private static final String READ = "read";

    public CoveredReleases {
      releases = List.copyOf(releases);
    }

    /** The covered releases of all profiles, oldest first. */
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
          words.stream()
              .skip(1)
              .filter(word -> !word.equals(READ))
              .map(NcclRelease::parse)
              .toList(),
          !isRead);
    }

    /** The newest of the releases that is not newer than {@code to}; empty if all are. */
    Optional<NcclRelease> nearest(NcclRelease to) {
      return releases.stream()
          .filter(release -> release.compareTo(to) <= 0)
          .max(Comparator.naturalOrder());
    }
  }

  /** A release of NCCL: {@code 2.27.7}. */
  public record NcclRelease(int major, int minor, int patch) implements Comparable<NcclRelease> {
    /** {@code 2.27.7}, {@code v2.27.7-1} and {@code 2.27.7+cuda12.4}, as in tags and logs. */
    private static final Pattern DOTTED =
        Pattern.compile("v?(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})(?:-\\d{1,3})?(?:\\+\\S*)?");

    /** {@code NCCL_VERSION_CODE}. */
    private static final Pattern CODE = Pattern.compile("[1-9]\\d{3,8}");

    /** From this number on, a version code has two digits for the minor release. */
    private static final int TWO_DIGITS_SINCE = 10_000;

    private static final Comparator<NcclRelease> ORDER =
        Comparator.comparingInt(NcclRelease::major)
            .thenComparingInt(NcclRelease::minor)
            .thenComparingInt(NcclRelease::patch);

    /** The release of a text such as {@code 2.27.7}, {@code v2.27.7-1} or {@code 22707}. */
    public static Optional<NcclRelease> find(String text) {
      Matcher dotted = DOTTED.matcher(text);
      if (dotted.matches()) {
        return Optional.of(
            new NcclRelease(
                Integer.parseInt(dotted.group(1)),
                Integer.parseInt(dotted.group(2)),
                Integer.parseInt(dotted.group(3))));
      }
      return CODE.matcher(text).matches()
          ? Optional.of(ofCode(Integer.parseInt(text)))
          : Optional.empty();
    }

    /**
     * The release that a text names.
     *
     * @throws UnknownReleaseException if it names none
     */
    public static NcclRelease parse(String text) {
      return find(text)
          .orElseThrow(
              () ->
                  new UnknownReleaseException(
                      SpecText.of(
                          "%s: expected a version as 2.27.7, v2.27.7-1 or 22707; %s list shows the"
                              + " releases",
                          text, SpecField.RELEASE)));
    }

    /** The release of a version code: 2.18.5 of 21805, 2.7.8 of 2708 ({@code NCCL_VERSION}). */
    private static NcclRelease ofCode(int code) {
      return code < TWO_DIGITS_SINCE
          ? new NcclRelease(code / 1000, code / 100 % 10, code % 100)
          : new NcclRelease(code / 10_000, code / 100 % 100, code % 100);
    }

    @Override
    public int compareTo(NcclRelease other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return major + "." + minor + "." + patch;
    }
  }
}
