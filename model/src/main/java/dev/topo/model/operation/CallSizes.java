package dev.topo.model.operation;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** Sizes of calls as the user names them: {@code 8:8G:2}, {@code 64K,1M,1G} or {@code all}. */
public final class CallSizes {
  /** Those of nccl-tests, and of most questions. */
  public static final String USUAL = "8:8G:2";

  /** Names {@link #USUAL}. */
  private static final String ALL = "all";

  private CallSizes() {}

  /** True if a size is between the first and the last of some; any is where there are none. */
  public static boolean areAround(List<Long> sizes, long size) {
    return sizes.isEmpty() || (size >= sizes.get(0) && size <= sizes.get(sizes.size() - 1));
  }

  /** The sizes in ascending order. */
  public static List<Long> parse(String text) {
    if (text.equals(ALL)) {
      return parse(USUAL);
    }
    TreeSet<Long> list = new TreeSet<>();
    String[] range = text.split(":", -1);
    if (range.length == 1) {
      Arrays.stream(text.split(",", -1)).map(ByteSize::parse).forEach(list::add);
      if (list.first() < 1) {
        throw wrong(text, "expected sizes of at least 1 byte: NCCL does nothing for an empty call");
      }
      return List.copyOf(list);
    }
    long first = ByteSize.parse(range[0]);
    long last = ByteSize.parse(range[1]);
    long factor = range.length > 2 ? ByteSize.parse(range[2]) : 2;
    if (last < first) {
      throw wrong(text, "expected the smaller size first, as in " + USUAL);
    }
    if (range.length > 3 || first < 1 || factor < 2) {
      throw wrong(text, "expected first:last:factor as in " + USUAL);
    }
    list.add(first);
    // Divided, as a product may be more than a number holds.
    for (long size = first; size <= last / factor; ) {
      size *= factor;
      list.add(size);
    }
    return List.copyOf(list);
  }

  private static SpecException wrong(String text, String expected) {
    return new SpecException(SpecField.SIZES, " %s: %s", text, expected);
  }
}
