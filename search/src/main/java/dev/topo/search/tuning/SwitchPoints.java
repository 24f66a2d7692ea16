package dev.topo.search.tuning;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the sizes at which NCCL's choice changes, to the byte. Between two consecutive powers of
 * two (and the sizes at which the start-up cost of rings changes), the time of every algorithm and
 * protocol is linear in the size. Each pair is therefore the fastest on at most one interval, on
 * which channels and threads only grow. So equal decisions at both ends of an interval mean equal
 * decisions in between; all other intervals are bisected. Where two lines cross, rounding to single
 * precision can make NCCL alternate between equal times, on the machines of the project within
 * 1,088 bytes; one of these switches is then reported. Takes about thirty decisions per switch.
 * Immutable.
 */
public record SwitchPoints(Tuner tuner) {
  /**
   * Returns the ranges of sizes with equal decisions, in order and without gaps. If nccl-tests
   * rounds sizes to whole elements, each range begins at a rounded size, and a first size below one
   * element forms a separate range.
   *
   * @param call the call, of any size
   * @param minBytes the smallest size
   * @param maxBytes the largest size
   */
  public List<SizeRange> ranges(CollectiveCall call, long minBytes, long maxBytes) {
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException("no range of sizes: " + minBytes + " to " + maxBytes);
    }
    List<SizeRange> ranges = new ArrayList<>();
    Point first = at(call, minBytes);
    for (long bend : bends(call, minBytes, maxBytes)) {
      Point end = at(call, bend - 1);
      first = addRanges(ranges, call, first, end);
      first = next(ranges, first, end, at(call, bend));
    }
    Point last = at(call, maxBytes);
    first = addRanges(ranges, call, first, last);
    ranges.add(range(first, last));
    return List.copyOf(ranges);
  }

  /** The sizes, in whole elements and above {@code minBytes}, at which a slope may change. */
  private SortedSet<Long> bends(CollectiveCall call, long minBytes, long maxBytes) {
    int nRanks = tuner.facts().nRanks();
    List<Long> lines = new ArrayList<>(tuner.plateauBytes());
    for (long power = 1; power > 0 && power <= maxBytes; power *= 2) {
      lines.add(power);
    }
    TreeSet<Long> bends = new TreeSet<>();
    for (long line : lines) {
      bends.add(call.withSize(line + call.leastBytes(nRanks) - 1).wholeBytes(nRanks));
    }
    return bends.subSet(minBytes, false, maxBytes, true);
  }

  /** A size and NCCL's decision for it. */
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
      // Bisect for a switch after the start.
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

  /**
   * Continues at the start of the next interval; ends the current range if the decision differs.
   */
  private static Point next(List<SizeRange> ranges, Point first, Point end, Point beginning) {
    if (first.isLike(beginning)) {
      return first;
    }
    ranges.add(range(first, end));
    return beginning;
  }
}
