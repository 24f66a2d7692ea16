package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue;
import dev.topo.model.job.SettingException;
import dev.topo.search.connect.Connection;
import dev.topo.visualizer.structure.ConnectPart;
import dev.topo.visualizer.structure.Excerpt;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The options that select which parts of a connection are shown. */
final class ConnectOptions {
  @Option(
      names = "--what",
      split = ",",
      paramLabel = "PART",
      description =
          "rings-trees, nvls, collnet, p2p or nics; several with --format text and json (default: rings-trees).")
  private List<String> what = new ArrayList<>();

  @Option(names = "--rank", paramLabel = "R", split = ",", description = "Only these ranks.")
  private TreeSet<Integer> ranks = new TreeSet<>();

  @Option(names = "--channel", paramLabel = "C", split = ",", description = "Only these channels.")
  private TreeSet<Integer> channels = new TreeSet<>();

  /**
   * The requested parts in their standard order, without duplicates.
   *
   * @param isTable whether the format is one table, which has room for one part only
   */
  Set<ConnectPart> parts(boolean isTable) {
    Set<ConnectPart> parts = EnumSet.noneOf(ConnectPart.class);
    for (String name : what) {
      parts.add(OptionValue.ofLabel("--what", name, ConnectPart.values(), ConnectPart::label, ""));
    }
    refuseIf(
        parts.size() > 1 && isTable,
        "--what %s: expected one part with --format tsv, which is one table"
            .formatted(String.join(",", what)));
    return parts.isEmpty() ? EnumSet.of(ConnectPart.RINGS_TREES) : parts;
  }

  /**
   * The requested ranks and channels of a communicator.
   *
   * @throws SettingException if the communicator does not have one of them
   */
  Excerpt excerpt(Connection connection, Set<ConnectPart> parts) {
    reject("--rank", ranks, connection.nRanks());
    if (!channels.isEmpty()) {
      reject(
          "--channel",
          channels,
          parts.stream().mapToInt(part -> part.channels(connection)).max().orElseThrow());
    }
    return Excerpt.of(connection, channels, ranks);
  }

  private static void reject(String option, SortedSet<Integer> numbers, int count) {
    if (!numbers.isEmpty() && (numbers.first() < 0 || numbers.last() >= count)) {
      int wrong = numbers.first() < 0 ? numbers.first() : numbers.last();
      throw new SettingException(
          option + " " + wrong + ": expected a number from 0 to " + (count - 1));
    }
  }
}
