package dev.topo.model.job;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A permutation or subset of the ranks of a job: the GPU of the first listed rank gets rank 0, and
 * so on.
 *
 * @param ranks ranks of the whole job, each once
 */
public record RankList(List<Integer> ranks) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,7})(?:-(\\d{1,7})(?:/(\\d{1,7}))?)?");

  /** More ranks than any job has; prevents a short range from exhausting the memory. */
  private static final int MAX_RANKS = 1 << 20;

  private static final String EXPECTED = "expected a rank, a range 0-7 or every fourth 0-15/4";

  /** Checks that there is at least one rank and none occurs twice. */
  public RankList {
    ranks = List.copyOf(ranks);
    if (ranks.isEmpty()) {
      throw new IllegalArgumentException("no rank, " + EXPECTED);
    }
    Set<Integer> seen = new HashSet<>();
    for (int rank : ranks) {
      if (!seen.add(rank)) {
        throw new IllegalArgumentException("rank " + rank + " is there twice, expected it once");
      }
    }
  }

  /** True if a text is a list of ranks rather than the name of a file. */
  public static boolean isList(String text) {
    return text.matches("[-0-9,/ ]*");
  }

  /**
   * Parses a list such as {@code 0-3,8,12-15/2}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static RankList parse(String text) {
    List<Integer> ranks = new ArrayList<>();
    for (String part : text.strip().split("[,\\s]+", -1)) {
      add(part, ranks);
    }
    return new RankList(ranks);
  }

  /**
   * Reads a file with such a list on one or more lines; text after {@code #} is a comment.
   *
   * @throws TopologyFormatException if it is malformed
   */
  public static RankList read(Path file, Inputs inputs) {
    List<String> lines = inputs.text(file, "ranks").lines().toList();
    List<Integer> ranks = new ArrayList<>();
    SourceLocation place = new SourceLocation(file.toString(), 1, 1);
    try {
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).replaceFirst("#.*", "").strip();
        place = new SourceLocation(file.toString(), i + 1, 1);
        for (String part : line.isEmpty() ? new String[0] : line.split("[,\\s]+", -1)) {
          add(part, ranks);
        }
      }
      return new RankList(ranks);
    } catch (IllegalArgumentException e) {
      throw new TopologyFormatException(place, String.valueOf(e.getMessage()), e);
    }
  }

  private static void add(String part, List<Integer> ranks) {
    Matcher matcher = FORM.matcher(part);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + part + "': " + EXPECTED);
    }
    int first = Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
    if (last < first || step < 1) {
      throw new IllegalArgumentException("'" + part + "': " + EXPECTED);
    }
    for (int rank = first; rank <= last; rank += step) {
      if (ranks.size() == MAX_RANKS) {
        throw new IllegalArgumentException(
            "'" + part + "': more than " + MAX_RANKS + " ranks, expected fewer");
      }
      ranks.add(rank);
    }
  }
}
