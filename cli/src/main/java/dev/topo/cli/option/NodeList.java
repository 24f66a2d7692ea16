package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.evaluate.RankLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The nodes of a job as they are given.
 *
 * @param files the topology files of the command
 * @param nodes the number of nodes, as text
 * @param entries the nodes that are listed, each {@code FILE} or {@code FILE*COUNT}
 */
record NodeList(List<Path> files, Optional<String> nodes, List<String> entries) {
  /**
   * The machines.
   *
   * @throws SettingException if there are several numbers, no file, or the forms are mixed
   */
  RankLayout.Machines machines() {
    List<Integer> counts = nodes.map(NodeCounts::parse).orElse(List.of(1));
    if (counts.size() > 1) {
      throw new SettingException(
          "--nodes %s: expected one number; topo predict and topo chart --scaling take several"
              .formatted(nodes.orElseThrow()));
    }
    if (!entries.isEmpty()) {
      return new RankLayout.Listed(listed());
    }
    if (files.size() != 1) {
      throw new SettingException(
          "expected one FILE, or --node FILE[*COUNT] for machines that differ");
    }
    return new RankLayout.Equal(files.get(0), counts.get(0));
  }

  private List<Path> listed() {
    if (!files.isEmpty() || nodes.isPresent()) {
      throw new SettingException(
          "--node cannot be combined with FILE or --nodes: name each machine once, as in --node FILE*4");
    }
    List<Path> machines = new ArrayList<>();
    for (String entry : entries) {
      int star = entry.lastIndexOf('*');
      int copies = star < 0 ? 1 : count(entry, entry.substring(star + 1));
      Path file = Streams.file(star < 0 ? entry : entry.substring(0, star));
      machines.addAll(Collections.nCopies(copies, file));
    }
    return machines;
  }

  private static int count(String entry, String text) {
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= NodeCounts.MAX) {
        return count;
      }
    } catch (NumberFormatException e) {
      // The message below says what was expected.
    }
    throw new SettingException(
        "--node "
            + entry
            + ": expected FILE or FILE*COUNT with a COUNT from 1 to "
            + NodeCounts.MAX);
  }

  /** Numbers of nodes as the user gives them: {@code 4}, {@code 1,2,4,8} or {@code 1:1024:2}. */
  static final class NodeCounts {
    static final int MAX = Job.MOST_MACHINES;

    private NodeCounts() {}

    /**
     * The numbers in ascending order, each once.
     *
     * @throws SettingException if the text is none of the three forms
     */
    static List<Integer> parse(String text) {
      String[] range = text.split(":", -1);
      if (range.length == 1) {
        TreeSet<Integer> counts = new TreeSet<>();
        for (String number : text.split(",", -1)) {
          counts.add(number(text, number));
        }
        return List.copyOf(counts);
      }
      int first = number(text, range[0]);
      int last = number(text, range[1]);
      int factor = range.length > 2 ? number(text, range[2]) : 2;
      if (range.length > 3 || factor < 2 || last < first) {
        throw unexpected(text);
      }
      List<Integer> counts = new ArrayList<>();
      for (long count = first; count <= last; count *= factor) {
        counts.add((int) count);
      }
      return counts;
    }

    private static int number(String text, String number) {
      try {
        int count = Integer.parseInt(number.strip());
        if (count >= 1 && count <= MAX) {
          return count;
        }
      } catch (NumberFormatException e) {
        // The message says what was expected.
      }
      throw unexpected(text);
    }

    private static SettingException unexpected(String text) {
      return new SettingException(
          "--nodes %s: expected a number from 1 to %d, several as in 1,2,4,8, or first:last:factor as in 1:1024:2"
              .formatted(text, MAX));
    }
  }
}
