package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Nvls;
import dev.topo.search.connect.P2pSchedule.Round;
import dev.topo.search.connect.Trees;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;

/**
 * A part of a connection as a table for programs, with tabs between: one line of names, then a line
 * for each rank and channel, round or peer. {@link Connection#NONE} stands for no rank; lists have
 * commas, only the channels of a port are ranges. Nothing is kept in memory.
 */
public final class ConnectionTsv {
  private final Connection connection;
  private final Excerpt excerpt;
  private final Lines lines;

  private ConnectionTsv(Excerpt excerpt, Lines lines) {
    this.connection = excerpt.connection();
    this.excerpt = excerpt;
    this.lines = lines;
  }

  /**
   * The lines of a part.
   *
   * @param split whether the job is split: then the communicator's colours come first in each line
   * @param label the colours of the communicator
   * @param withNames whether a line with the names of the columns comes first
   */
  public static Answer of(
      ConnectPart part, Excerpt excerpt, boolean split, String label, boolean withNames) {
    return out -> {
      if (withNames) {
        out.append(split ? "split\t" : "").append(names(part)).append('\n');
      }
      new ConnectionTsv(excerpt, new Lines(out, split ? label + "\t" : "")).write(part);
    };
  }

  private static String names(ConnectPart part) {
    return switch (part) {
      case RINGS_TREES ->
          "channel\trank\tring_prev\tring_next\ttree_up\ttree_down0\ttree_down1\ttree_down2";
      case NVLS ->
          "rank\tchannel\tn_heads\thead_rank\ttree_up\ttree_down0\ttree_down1\ttree_down2\tout";
      case COLLNET ->
          "rank\tchannel\tchain_up\tchain_down\tchain_depth\tn_heads\thead_rank\tout\tshift\tdepth"
              + "\tup\tdown\theads\tdense_rank\tsetup_heads";
      case P2P -> "rank\tround\tsend_to\treceive_from\tchannels_by_part";
      case NICS -> "rank\tpeer\ton_channels\tnet\tdev\tname\trelay";
    };
  }

  private void write(ConnectPart part) throws IOException {
    switch (part) {
      case RINGS_TREES -> ringsAndTrees();
      case NVLS -> nvls();
      case COLLNET -> {
        if (connection.collNet().isPresent()) {
          collNet(connection.collNet().get());
        }
      }
      case P2P -> schedule();
      case NICS -> nics();
    }
  }

  private void ringsAndTrees() throws IOException {
    for (int channel : excerpt.channels(ConnectPart.RINGS_TREES)) {
      for (int rank : excerpt.ranks()) {
        Trees.Links tree = connection.trees().links(channel, rank);
        lines.add(channel).add(rank);
        lines.add(connection.rings().prev(channel, rank));
        lines.add(connection.rings().next(channel, rank)).add(tree.up());
        lines.add(tree.down0()).add(tree.down1()).add(tree.down2()).end();
      }
    }
  }

  private void nvls() throws IOException {
    List<Integer> all = excerpt.channels(ConnectPart.NVLS);
    for (int rank : excerpt.ranks()) {
      int out = connection.collNet().map(net -> net.nvlsOut(rank)).orElse(Connection.NONE);
      int channels = connection.nvls().channels(rank);
      for (int channel : all) {
        if (channel < channels) {
          Nvls.Links links = connection.nvls().links(channel, rank);
          lines.add(rank).add(channel).add(connection.nvls().nHeads()).add(links.headRank());
          lines.add(links.treeUp());
          for (int child = 0; child < 3; child++) {
            lines.add(
                child < links.treeDown().size() ? links.treeDown().get(child) : Connection.NONE);
          }
          lines.add(out).end();
        }
      }
    }
  }

  private void collNet(CollNet collNet) throws IOException {
    List<Integer> channels = excerpt.channels(ConnectPart.COLLNET);
    for (int rank : excerpt.ranks()) {
      Optional<CollNet.Direct> direct = collNet.direct(rank);
      CollNet.Setup setup = collNet.setup(rank);
      for (int channel : channels) {
        CollNet.Chain chain = collNet.chain(channel, rank);
        lines.add(rank).add(channel).add(chain.up()).add(chain.down()).add(chain.depth());
        if (direct.isPresent()) {
          CollNet.Direct heads = direct.get();
          lines.add(heads.heads().size()).add(heads.headRank()).add(heads.out());
          lines.add(heads.shift()).add(heads.depth());
          lines.add(heads.up()).add(heads.down()).add(heads.heads());
        } else {
          lines.add("\t\t\t\t\t\t\t");
        }
        lines.add(setup.denseRank()).add(setup.heads()).end();
      }
    }
  }

  private void schedule() throws IOException {
    ScheduleRows schedule = new ScheduleRows(connection);
    for (int rank : excerpt.ranks()) {
      List<Round> rounds = schedule.rounds(rank);
      List<List<Integer>> channels = schedule.channels(rank, rounds.size());
      for (int number = 0; number < rounds.size(); number++) {
        Round round = rounds.get(number);
        lines.add(rank).add(number).add(round.sendTo()).add(round.receiveFrom());
        lines.add(channels.get(number)).end();
      }
    }
  }

  private void nics() throws IOException {
    PortRows rows = new PortRows(excerpt);
    for (int rank : excerpt.ranks()) {
      Map<Integer, List<String>> byDevice = new HashMap<>();
      for (PrimitiveIterator.OfInt peers = rows.peers(rank).iterator(); peers.hasNext(); ) {
        int peer = peers.nextInt();
        for (String port :
            byDevice.computeIfAbsent(rows.device(peer), device -> ports(rows, rank, device))) {
          lines.add(rank).add(peer).add(port).end();
        }
      }
    }
  }

  /** The cells after the two ranks, which are those of all peers with a device number. */
  private static List<String> ports(PortRows rows, int rank, int device) {
    List<String> cells = new ArrayList<>();
    rows.ports(rank, device)
        .forEach(
            (port, channels) ->
                cells.add(
                    String.join(
                        "\t",
                        QuantityFormat.ranges(channels),
                        port.port().id().toString(),
                        String.valueOf(port.port().dev()),
                        port.port().name(),
                        String.valueOf(port.relay()))));
    return cells;
  }

  /** Lines under construction, one after the other. */
  private static final class Lines {
    private final Appendable out;
    private final String begin;
    private final StringBuilder line = new StringBuilder();

    Lines(Appendable out, String begin) {
      this.out = out;
      this.begin = begin;
    }

    private Lines cell() {
      line.append(line.isEmpty() ? begin : "\t");
      return this;
    }

    Lines add(int number) {
      cell().line.append(number);
      return this;
    }

    Lines add(String text) {
      cell().line.append(text);
      return this;
    }

    Lines add(List<Integer> ranks) {
      cell();
      for (int i = 0; i < ranks.size(); i++) {
        line.append(i == 0 ? "" : ",").append(ranks.get(i).intValue());
      }
      return this;
    }

    void end() throws IOException {
      out.append(line.append('\n'));
      line.setLength(0);
    }
  }
}
