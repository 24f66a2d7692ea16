package dev.topo.hw.run;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds the signal and the library in the report that a JVM prints when native code crashes. Its
 * lines begin with {@code #}.
 */
final class CrashReport {
  private static final String BEGIN = "# A fatal error has been detected";
  private static final String EMPTY = "#";
  private static final String FRAME = "# Problematic frame:";

  private boolean inside;
  private boolean frameFollows;
  private Optional<String> signal = Optional.empty();
  private Optional<String> frame = Optional.empty();

  /** Consumes a line of a report, or passes on any other line. */
  synchronized void orLog(String line, Consumer<String> log) {
    if (line.startsWith(BEGIN)) {
      inside = true;
    }
    if (!inside || !line.startsWith("#")) {
      if (!line.equals(EMPTY)) {
        log.accept(line);
      }
      return;
    }
    String text = line.substring(1).strip();
    if (frameFollows && frame.isEmpty()) {
      frame = Optional.of(text);
    }
    frameFollows = line.startsWith(FRAME);
    if (text.startsWith("SIG") && signal.isEmpty()) {
      signal = Optional.of(text.split(" ", 2)[0]);
    }
  }

  synchronized Optional<String> summary() {
    return signal.map(name -> name + frame.map(where -> " in " + where).orElse(""));
  }
}
