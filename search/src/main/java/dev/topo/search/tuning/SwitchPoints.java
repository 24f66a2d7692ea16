package dev.topo.search.tuning;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The sizes at which NCCL's choice changes, to the byte. Between two powers of two (and the sizes
 * from which rings start more slowly or less so) the time of every algorithm and protocol is a
 * straight line, so that each of them is the fastest on one stretch only, and on that stretch
 * channels and threads only grow. Equal answers at both ends therefore mean equal answers in
 * between, and what is unequal is halved. Where two lines cross, NCCL's rounding to single
 * precision can make it go to and fro between equal times, on the machines of the project within
 * 1,088 bytes; then one of those switches is reported. Costs about thirty choices for each switch.
 * Immutable.
 */
public final class SwitchPoints {
  private final Tuner tuner;

  public SwitchPoints(Tuner tuner) {
    this.tuner = tuner;
  }

  /**
   * The ranges of sizes that NCCL treats alike, in order and without gaps.
   *
   * @param call the call, whose size is not looked at
   * @param minBytes the smallest size
   * @param maxBytes the largest size
   */
  public List<SizeRange> ranges(CollectiveCall call, long minBytes, long maxBytes) {
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException("no range of sizes: " + minBytes + " to " + maxBytes);
    }
    List<SizeRange> ranges = new ArrayList<>();
    Point first = at(call, minBytes);
    for (long bend : bends(minBytes, maxBytes)) {
      first = addRanges(ranges, call, first, at(call, bend - 1));
      first = next(ranges, first, at(call, bend - 1), at(call, bend));
    }
    Point last = at(call, maxBytes);
    first = addRanges(ranges, call, first, last);
    ranges.add(range(first, last));
    return List.copyOf(ranges);
  }

  /** Sizes above the smallest at which a time may leave its line. */
  private SortedSet<Long> bends(long minBytes, long maxBytes) {
    TreeSet<Long> bends = new TreeSet<>();
    for (long power = 1; power > 0 && power <= maxBytes; power *= 2) {
      bends.add(power);
    }
    bends.addAll(tuner.plateauBytes());
    bends.removeIf(bend -> bend <= minBytes || bend > maxBytes);
    return bends;
  }

  /** A size and what NCCL does with it. */
  private record Point(long sizeBytes, Decision decision) {
    boolean isLike(Point other) {
      return SizeRange.isSame(decision, other.decision);
    }
  }

  private Point at(CollectiveCall call, long sizeBytes) {
    return new Point(sizeBytes, tuner.decide(call.withSize(sizeBytes)));
  }

  private static SizeRange range(Point first, Point last) {
    return new SizeRange(first.sizeBytes, last.sizeBytes, first.decision, last.decision);
  }

  /**
   * Adds the ranges that end before {@code last}.
   *
   * @param first where the current range begins
   * @return where the range of {@code last} begins
   */
  private Point addRanges(List<SizeRange> ranges, CollectiveCall call, Point first, Point last) {
    Point start = first;
    while (!start.isLike(last)) {
      // The nearest switch after the start: between "like the start" and "not like it".
      Point alike = start;
      Point unlike = last;
      while (unlike.sizeBytes - alike.sizeBytes > 1) {
        Point middle = at(call, (alike.sizeBytes + unlike.sizeBytes) >>> 1);
        if (middle.isLike(start)) {
          alike = middle;
        } else {
          unlike = middle;
        }
      }
      ranges.add(range(start, alike));
      start = unlike;
    }
    return start;
  }

  /** Goes on from the end of a stretch to the beginning of the next. */
  private static Point next(List<SizeRange> ranges, Point first, Point end, Point beginning) {
    if (first.isLike(beginning)) {
      return first;
    }
    ranges.add(range(first, end));
    return beginning;
  }
}
