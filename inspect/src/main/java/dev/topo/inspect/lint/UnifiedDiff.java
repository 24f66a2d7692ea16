package dev.topo.inspect.lint;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import java.util.ArrayList;
import java.util.List;

/** Changes of a file as a unified diff for {@code patch}. */
public final class UnifiedDiff {
  private static final int CONTEXT = 3;
  private static final String NO_LINE_END = "\n\\ No newline at end of file";

  /** Number of line pairs above which the whole file is one change. */
  private static final long MAX_COMPARISONS = 4_000_000;

  private UnifiedDiff() {}

  /** Removed and added lines with their context; empty if the texts are equal. */
  public static String of(String file, String before, String after) {
    List<String> a = lines(before);
    List<String> b = lines(after);
    StringBuilder text = new StringBuilder();
    UnifiedDiffUtils.generateUnifiedDiff(file, file, a, changes(a, b), CONTEXT)
        .forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  /** Lines of a text; a last line without a line end is followed by the mark for {@code patch}. */
  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    String last = lines.remove(lines.size() - 1);
    if (!last.isEmpty()) {
      lines.add(last + NO_LINE_END);
    }
    return lines;
  }

  private static Patch<String> changes(List<String> a, List<String> b) {
    if ((long) a.size() * b.size() <= MAX_COMPARISONS) {
      return DiffUtils.diff(a, b);
    }
    Patch<String> patch = new Patch<>();
    patch.addDelta(new ChangeDelta<>(new Chunk<>(0, a), new Chunk<>(0, b)));
    return patch;
  }
}
