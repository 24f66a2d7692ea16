package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.Communicator;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Comparison of a communicator with a log of real NCCL, line by line. Values present in both are
 * compared; other lines of the log are listed.
 *
 * @param facts the compared values, rank by rank in the order of the log
 * @param notCompared kinds of logged lines that were not compared, each with a reason
 */
public record LogComparison(List<Fact> facts, List<String> notCompared) {
  public LogComparison {
    facts = List.copyOf(facts);
    notCompared = List.copyOf(notCompared);
  }

  /** Compares all ranks of a log of calls on plain buffers. */
  public static LogComparison of(Communicator communicator, NcclLog log) {
    return of(communicator, log, CallPaths.of(communicator), Buffers.PLAIN);
  }

  /**
   * Compares all ranks of a log. Each of several communicators in a log is compared with this one.
   *
   * @param paths implementations that the communicator uses for calls
   * @param buffers registration of the calls' buffers
   */
  public static LogComparison of(
      Communicator communicator, NcclLog log, CallPaths paths, Buffers buffers) {
    List<Fact> facts = new ArrayList<>();
    TreeSet<String> notCompared = new TreeSet<>();
    for (RankLog rank : log.ranks()) {
      facts.addAll(compare(communicator, new CallComparison(paths, buffers), rank, notCompared));
    }
    return new LogComparison(facts, List.copyOf(notCompared));
  }

  /** This comparison with other facts before its own. */
  public LogComparison withFirst(List<Fact> others) {
    List<Fact> joined = new ArrayList<>(others);
    joined.addAll(facts);
    return new LogComparison(joined, notCompared);
  }

  /** This comparison with further kinds of lines that were not compared. */
  public LogComparison withNotCompared(List<String> further) {
    return new LogComparison(
        facts, Stream.of(notCompared, further).flatMap(List::stream).sorted().toList());
  }

  private static List<Fact> compare(
      Communicator communicator, CallComparison calls, RankLog log, TreeSet<String> notCompared) {
    Connection connection = communicator.connection();
    Facts facts = new Facts(log.source());
    OptionalInt rank = log.rank();
    if (rank.isEmpty()) {
      notCompared.add(log.source() + ": no line contains the rank");
      return facts.list();
    }
    if (rank.getAsInt() < 0 || rank.getAsInt() >= connection.nRanks()) {
      facts.add(
          Topic.COMMUNICATOR, "rank", rank.getAsInt(), "ranks 0 to " + (connection.nRanks() - 1));
      return facts.list();
    }
    int node = connection.nodeOf(rank.getAsInt());
    log.comm()
        .ifPresent(
            comm -> facts.add(Topic.COMMUNICATOR, "place", comm, place(connection, comm.rank())));
    new GraphComparison(connection.domain(node), connection.searchedGraphs(node), facts)
        .compare(log.graphs());
    new ConnectionComparison(connection, facts).compare(log.connections(), rank.getAsInt());
    new TuningComparison(communicator.tuner(), facts).compare(log.tuning());
    calls.compare(log.tuning(), facts);
    addNotCompared(log, notCompared);
    return facts.list();
  }

  private static RankLog.Comm place(Connection connection, int rank) {
    int node = connection.nodeOf(rank);
    List<Integer> local = connection.ranksOf(node);
    return new RankLog.Comm(
        rank, connection.nRanks(), connection.nNodes(), local.size(), local.indexOf(rank));
  }

  private static void addNotCompared(RankLog log, TreeSet<String> notCompared) {
    if (log.connections().hasPeers()) {
      notCompared.add(
          "how ranks reach their neighbours (\"via ...\"): transports are not modelled");
    }
    if (log.connections().hasCollNet()) {
      notCompared.add("lines on in-network reduction: read as text only");
    }
    if (log.graphs().system().isPresent()) {
      notCompared.add("the tree of the system: its paths are compared instead");
    }
  }

  /** Facts whose values differ. */
  public List<Fact> differences() {
    return facts.stream().filter(fact -> !fact.isEqual()).toList();
  }

  /**
   * Compared and equal facts of a topic.
   *
   * @param equal number of equal facts
   * @param compared number of compared facts
   */
  public record Count(int equal, int compared) {
    private Count with(Fact fact) {
      return new Count(equal + (fact.isEqual() ? 1 : 0), compared + 1);
    }
  }

  /** Counts of the topics in the log, in NCCL's order. */
  public Map<Topic, Count> counts() {
    Map<Topic, Count> counts = new EnumMap<>(Topic.class);
    for (Fact fact : facts) {
      counts.put(fact.topic(), counts.getOrDefault(fact.topic(), new Count(0, 0)).with(fact));
    }
    return counts;
  }
}
