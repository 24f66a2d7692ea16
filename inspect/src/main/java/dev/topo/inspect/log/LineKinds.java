package dev.topo.inspect.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dispatches the lines of one part of the log to consumers by pattern. */
final class LineKinds {
  private final Map<Pattern, Consumer<Matcher>> kinds = new LinkedHashMap<>();

  LineKinds with(Pattern pattern, Consumer<Matcher> consumer) {
    kinds.put(pattern, consumer);
    return this;
  }

  /** Passes a line to the first kind whose pattern matches all of it. */
  void accept(CharSequence line) {
    for (Map.Entry<Pattern, Consumer<Matcher>> kind : kinds.entrySet()) {
      Matcher matcher = kind.getKey().matcher(line);
      if (matcher.matches()) {
        kind.getValue().accept(matcher);
        return;
      }
    }
  }
}
