package dev.topo.visualizer.structure;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.P2pSchedule.Round;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.List;

/** The schedule of sends and receives as people read it: the first ranks and rounds of a job. */
final class ScheduleText {
  private static final int WHOLE_RANKS = 16;
  private static final int FIRST_RANKS = 8;
  private static final int WHOLE_ROUNDS = 16;
  private static final int FIRST_ROUNDS = 12;

  private final Connection connection;
  private final Excerpt excerpt;
  private final TextWriter out;

  ScheduleText(Excerpt excerpt, TextWriter out) {
    this.connection = excerpt.connection();
    this.excerpt = excerpt;
    this.out = out;
  }

  void write() {
    ScheduleRows schedule = new ScheduleRows(connection);
    P2pChannels channels = connection.p2pChannels(0);
    out.line(
        "\nsends and receives on %d channels, %d for each peer; ranks take turns in groups of %d",
        channels.nChannels(), channels.nChannelsPerPeer(), schedule.groupSize());
    if (!schedule.hasChannels()) {
      out.line("channels of a round: not modelled for NCCL %s", connection.profile());
    }
    TextTable table = TextTable.indented();
    if (excerpt.isOfSomeRanks()) {
      table.header("rank,round,send to,receive from,channels");
      for (int rank : excerpt.ranks()) {
        List<Round> rounds = schedule.rounds(rank);
        List<List<Integer>> channelsOf = schedule.channels(rank, rounds.size());
        for (int number = 0; number < rounds.size(); number++) {
          Round round = rounds.get(number);
          table.row(
              rank, number, round.sendTo(), round.receiveFrom(), Ranks.of(channelsOf.get(number)));
        }
      }
    } else {
      out.line("send to/receive from, by round (the first is the rank itself)");
      boolean whole = connection.nRanks() <= WHOLE_RANKS;
      for (int rank : excerpt.ranks().subList(0, whole ? connection.nRanks() : FIRST_RANKS)) {
        table.row("rank " + rank, rounds(schedule.rounds(rank)));
      }
      if (!whole) {
        table.row("…", "%d ranks; %s".formatted(connection.nRanks(), Hint.ONE_RANK));
      }
    }
    out.table(table);
  }

  private static String rounds(List<Round> rounds) {
    List<String> shown = new ArrayList<>();
    boolean whole = rounds.size() <= WHOLE_ROUNDS;
    for (Round round : rounds.subList(0, whole ? rounds.size() : FIRST_ROUNDS)) {
      shown.add(round.sendTo() + "/" + round.receiveFrom());
    }
    if (!whole) {
      shown.add(
          "… "
              + rounds.get(rounds.size() - 1).sendTo()
              + "/"
              + rounds.get(rounds.size() - 1).receiveFrom());
    }
    return String.join(" ", shown);
  }
}
