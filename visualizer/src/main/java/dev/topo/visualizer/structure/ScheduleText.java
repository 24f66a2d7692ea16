package dev.topo.visualizer.structure;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.P2pSchedule.Round;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;

/** Writes the schedule of sends and receives as text: the first ranks and rounds of a job. */
record ScheduleText(Excerpt excerpt, TextWriter out) {
  private static final int MAX_RANKS = 16;
  private static final int FIRST_RANKS = 8;
  private static final int MAX_ROUNDS = 16;
  private static final int FIRST_ROUNDS = 12;

  void write() {
    ScheduleRows schedule = new ScheduleRows(connection());
    P2pChannels channels = connection().p2pChannels(0);
    out.line(
        "\nsends and receives on %d channels, %d for each peer; ranks take turns in groups of %d",
        channels.nChannels(), channels.nChannelsPerPeer(), schedule.groupSize());
    if (!schedule.hasChannels()) {
      out.line("channels of a round: not modelled for NCCL %s", connection().profile());
    }
    TextTable table = TextTable.indented();
    if (excerpt.isOfSomeRanks()) {
      table.header("rank,round,send to,receive from,channels");
      new ConnectionRows(excerpt)
          .ranks(schedule)
          .forEach(
              rank -> {
                int number = 0;
                for (ConnectionRows.RoundEntry round : rank.rounds()) {
                  table.row(
                      rank.rank(),
                      number++,
                      round.sendTo(),
                      round.receiveFrom(),
                      RankLists.of(round.channelsByPart()));
                }
              });
    } else {
      out.line("send to/receive from, by round (the first is the rank itself)");
      boolean isComplete = connection().nRanks() <= MAX_RANKS;
      for (int rank :
          excerpt.ranks().subList(0, isComplete ? connection().nRanks() : FIRST_RANKS)) {
        table.row("rank " + rank, rounds(schedule.rounds(rank)));
      }
      if (!isComplete) {
        table.row("…", "%s ranks; %s".formatted(connection().nRanks(), Hint.ONE_RANK));
      }
    }
    out.table(table);
  }

  private static String rounds(List<Round> rounds) {
    return rounds.size() <= MAX_ROUNDS
        ? QuantityFormat.joined(" ", rounds, ScheduleText::round)
        : QuantityFormat.joined(" ", rounds.subList(0, FIRST_ROUNDS), ScheduleText::round)
            + " … "
            + round(Last.of(rounds));
  }

  private static String round(Round round) {
    return round.sendTo() + "/" + round.receiveFrom();
  }

  private Connection connection() {
    return excerpt.connection();
  }
}
