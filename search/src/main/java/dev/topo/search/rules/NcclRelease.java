package dev.topo.search.rules;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecText;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A release of NCCL: {@code 2.27.7}. */
public record NcclRelease(int major, int minor, int patch) implements Comparable<NcclRelease> {
  /** {@code 2.27.7}, {@code v2.27.7-1} and {@code 2.27.7+cuda12.4}, as tags and logs have it. */
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
