package dev.topo.cli.output;

import dev.topo.inspect.agreement.RunMismatch;
import java.util.List;
import java.util.stream.Collectors;

/** The mismatches of the runs that an answer compares with, as caveats of the answer. */
public final class RunCaveats {
  private RunCaveats() {}

  /** Writes them to stderr. */
  public static void report(List<RunMismatch> mismatches, Streams streams) {
    mismatches.forEach(one -> streams.message(line(one)));
  }

  /** A text that begins with them. */
  public static Answer before(List<RunMismatch> mismatches, Answer text) {
    String lines = mismatches.stream().map(one -> line(one) + "\n").collect(Collectors.joining());
    return mismatches.isEmpty() ? text : Answer.join(List.of(Answer.of(lines), text), "");
  }

  private static String line(RunMismatch mismatch) {
    return "caveat: " + mismatch;
  }
}
