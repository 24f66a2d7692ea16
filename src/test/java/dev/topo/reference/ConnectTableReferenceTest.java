package dev.topo.reference;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.visualizer.structure.ConnectPart;
import dev.topo.visualizer.structure.ConnectionRows;
import dev.topo.visualizer.structure.Excerpt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The tables of {@code topo connect --what}, as the command writes them, against what NCCL's own
 * code answers: their cells are put into the lines of the reference by the names of their columns.
 */
class ConnectTableReferenceTest {
  private static final NcclSettings COLLNET = NcclSettings.parse(List.of("NCCL_COLLNET_ENABLE=1"));
  private static final NcclSettings DEFAULTS = NcclSettings.DEFAULTS;

  /** The reference has the ports of so many ranks. */
  private static final int RANKS_WITH_PORTS = 8;

  @Test
  void ringsAndTrees() {
    compare(
        "rings-trees",
        "connect",
        test ->
            rows(ConnectPart.RINGS_TREES, test)
                .map(
                    "Channel {channel} rank {rank} ring {ring_prev} {ring_next} tree {tree_up} {tree_down0}"
                        + " {tree_down1} {tree_down2}"),
        "Channel ");
  }

  @Test
  void nvlsTrees() {
    compare(
        "nvls",
        "connect",
        test ->
            rows(ConnectPart.NVLS, test)
                .map(
                    "NVLS channel {channel} rank {rank} nHeads {n_heads} headRank {head_rank} treeUp {tree_up}"
                        + " treeDown {tree_down0} {tree_down1} {tree_down2}"),
        "NVLS ");
  }

  @Test
  void nvlsToTheNetwork() {
    compareCollNet(
        "nvls out",
        test ->
            rows(ConnectPart.NVLS, test).map("NVLSCollNet channel {channel} rank {rank} out {out}"),
        "NVLSCollNet ");
  }

  @Test
  void chains() {
    compareCollNet(
        "chains",
        test ->
            rows(ConnectPart.COLLNET, test)
                .map(
                    "CollNetChain channel {channel} rank {rank} up {chain_up} down {chain_down} depth {chain_depth}"),
        "CollNetChain ");
  }

  @Test
  void direct() {
    compareCollNet(
        "direct",
        test ->
            rows(ConnectPart.COLLNET, test)
                .where("n_heads")
                .padded("up", 7)
                .padded("down", 7)
                .padded("heads", 8)
                .map(
                    "CollNetDirect channel {channel} rank {rank} nHeads {n_heads} headRank {head_rank} out {out}"
                        + " shift {shift} depth {depth} up {up} down {down} heads {heads}"),
        "CollNetDirect ");
  }

  @Test
  void denseRanks() {
    compareCollNet(
        "dense ranks",
        test ->
            rows(ConnectPart.COLLNET, test)
                .padded("setup_heads", 0)
                .map("CollNet rank {rank} denseRank {dense_rank} heads {setup_heads}")
                .stream()
                .distinct()
                .toList(),
        "CollNet ");
  }

  @Test
  void schedule() {
    for (int nodes : new int[] {1, 2, 4}) {
      compare(
          "p2p",
          "p2p",
          "mnnvl",
          DEFAULTS,
          nodes,
          test -> rows(ConnectPart.P2P, test).joined("rank", "{send_to}/{receive_from}"),
          "Schedule ");
    }
  }

  @Test
  void nics() {
    for (int nodes : new int[] {2, 4}) {
      compare(
          "nics",
          "p2pnet",
          "mnnvl",
          DEFAULTS,
          nodes,
          test ->
              new Rows(
                      tsv(
                          ConnectPart.NICS,
                          new Excerpt(
                              test,
                              below(test.p2pChannels(0).nChannelsPerPeer()),
                              List.copyOf(below(Math.min(RANKS_WITH_PORTS, test.nRanks()))))))
                  .eachChannel()
                  .map(
                      "P2pNet rank {rank} peer {peer} channel {on_channels} net {net} dev {dev} proxy {relay}"),
          "P2pNet ");
    }
  }

  private static SortedSet<Integer> below(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  private static void compareCollNet(
      String what, Function<Connection, List<String>> lines, String prefix) {
    for (int nodes : new int[] {2, 4}) {
      compare(what, "connect", "collnet", COLLNET, nodes, lines, prefix);
    }
  }

  private static void compare(
      String what, String file, Function<Connection, List<String>> lines, String prefix) {
    compareCollNet(what, lines, prefix);
    for (int nodes : new int[] {1, 2, 4}) {
      compare(what, file, "mnnvl", DEFAULTS, nodes, lines, prefix);
    }
  }

  private static void compare(
      String what,
      String file,
      String set,
      NcclSettings settings,
      int nodes,
      Function<Connection, List<String>> lines,
      String prefix) {
    Agreement agreement = new Agreement("tsv " + what + " " + set + " n" + nodes);
    String answer = file + ".n" + nodes + ".txt";
    for (ReferenceCase test : ReferenceSets.of(set)) {
      if (test.has("topo.xml") && test.has(answer)) {
        Connection connection =
            Connection.of(
                Job.ofEqual(new Machine(test.topology(), settings), nodes), test.graphs());
        agreement.addEqual(
            test.name(),
            sorted(test.lines(answer).stream().filter(line -> line.startsWith(prefix)).toList()),
            sorted(lines.apply(connection)));
      }
    }
    agreement.finish();
  }

  private static String sorted(List<String> lines) {
    List<String> sorted = new ArrayList<>(lines);
    Collections.sort(sorted);
    return String.join("\n", sorted);
  }

  private static Rows rows(ConnectPart part, Connection connection) {
    return new Rows(tsv(part, Excerpt.of(connection, new TreeSet<>(), new TreeSet<>())));
  }

  private static List<String> tsv(ConnectPart part, Excerpt excerpt) {
    StringBuilder text = new StringBuilder();
    try {
      ConnectionRows.tsv(part, excerpt, false, "", true).writeTo(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().lines().toList();
  }

  /** The rows of a table, each a map from the name of a column to a cell. */
  private record Rows(List<Map<String, String>> rows) {
    Rows(Iterable<String> lines) {
      this(cells(lines));
    }

    private static List<Map<String, String>> cells(Iterable<String> lines) {
      List<Map<String, String>> rows = new ArrayList<>();
      String[] names = new String[0];
      for (String line : lines) {
        String[] cells = line.split("\t", -1);
        if (names.length == 0) {
          names = cells;
          continue;
        }
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < cells.length; i++) {
          row.put(names[i], cells[i]);
        }
        rows.add(row);
      }
      return rows;
    }

    /** A row for each channel of the ranges in a row. */
    Rows eachChannel() {
      List<Map<String, String>> changed = new ArrayList<>();
      for (Map<String, String> row : rows) {
        for (String range : row.get("on_channels").split(",")) {
          int from = Integer.parseInt(range.replaceFirst("-.*", ""));
          int to = Integer.parseInt(range.replaceFirst(".*-", ""));
          for (int channel = from; channel <= to; channel++) {
            Map<String, String> other = new HashMap<>(row);
            other.put("on_channels", String.valueOf(channel));
            changed.add(other);
          }
        }
      }
      return new Rows(changed);
    }

    Rows where(String column) {
      return new Rows(rows.stream().filter(row -> !row.get(column).isEmpty()).toList());
    }

    /** A list of ranks as the reference has it: blanks between, -1 up to a length. */
    Rows padded(String column, int size) {
      List<Map<String, String>> changed = new ArrayList<>();
      for (Map<String, String> row : rows) {
        List<String> ranks = new ArrayList<>(List.of(row.get(column).split(",")));
        ranks.remove("");
        while (ranks.size() < size) {
          ranks.add("-1");
        }
        Map<String, String> other = new HashMap<>(row);
        other.put(column, String.join(" ", ranks));
        changed.add(other);
      }
      return new Rows(changed);
    }

    List<String> map(String pattern) {
      return rows.stream().map(row -> filled(pattern, row)).toList();
    }

    /** The cells of all rows of a rank in one line. */
    List<String> joined(String column, String pattern) {
      Map<String, List<String>> lines = new LinkedHashMap<>();
      for (Map<String, String> row : rows) {
        lines.computeIfAbsent(row.get(column), key -> new ArrayList<>()).add(filled(pattern, row));
      }
      return lines.entrySet().stream()
          .map(line -> "Schedule rank " + line.getKey() + " : " + String.join(" ", line.getValue()))
          .toList();
    }

    private static String filled(String pattern, Map<String, String> row) {
      String line = pattern;
      for (Map.Entry<String, String> cell : new TreeMap<>(row).entrySet()) {
        line = line.replace("{" + cell.getKey() + "}", cell.getValue());
      }
      return line;
    }
  }
}
