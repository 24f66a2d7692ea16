package dev.topo.property;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.network.NetworkCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More bytes, fewer or slower links, and more nodes make no call faster, as long as NCCL makes the
 * same choice on the same channels; where it does not, {@code whatif -v} shows what is other.
 */
class MonotonyTest {
  /** A time may be shorter by this part: parts and chunks are rounded. */
  private static final double TOLERANCE = 0.02;

  private static final String OTHER_CHOICE = "faster by another choice or number of channels";
  private static final String OTHER_ROUTE = "faster by other nodes, rings or trees";

  /** Data of a ring is divided by the ranks: more of them may need a round less. */
  private static final String FEWER_ROUNDS = "faster by fewer rounds of a ring";

  /** NCCL's own model only ranks algorithms: its times are not those of the others. */
  private static final String TWO_MODELS = "of two models";

  @TempDir private Path folder;

  @Test
  void moreBytesAreNotFaster() {
    Counts counts = new Counts("more bytes");
    Cases.all().forEach(job -> moreBytes(counts, job));
    counts.report();
  }

  @Test
  void slowerLinksAreNotFaster() {
    Counts counts = new Counts("fewer or slower links");
    Cases.all().forEach(job -> slowerLinks(counts, job));
    counts.report();
  }

  @Test
  void moreNodesAreNotFaster() {
    Counts counts = new Counts("more nodes");
    Cases.all().forEach(job -> moreNodes(counts, job));
    counts.report();
  }

  private void moreBytes(Counts counts, DrawnJob job) {
    counts.begin(job);
    Optional<JobResult> result = job.result();
    List<CollectiveCall> calls = job.calls();
    for (int i = 0; result.isPresent() && i + 1 < calls.size(); i++) {
      if (calls.get(i).collective() == calls.get(i + 1).collective()) {
        compare(counts, "", result.get(), calls.get(i), result.get(), calls.get(i + 1));
      }
    }
  }

  private void slowerLinks(Counts counts, DrawnJob drawn) {
    DrawnJob job = drawn.on(drawn.machine(), drawn.nodes());
    counts.begin(job);
    Optional<String> edit = MachineEdits.less(job.machine().parts(), new Random(job.seed()));
    Optional<DrawnMachine> less = job.machine().with(edit);
    if (less.isPresent()) {
      compare(counts, edit.orElseThrow(), job, job.on(less.get(), job.nodes()));
    }
  }

  private void moreNodes(Counts counts, DrawnJob drawn) {
    if (!drawn.machine().parts().ports().isEmpty()) {
      DrawnJob job = drawn.on(drawn.machine(), drawn.nodes());
      counts.begin(job);
      compare(counts, "", job, job.on(job.machine(), 2 * job.nodes()));
    }
  }

  private void compare(Counts counts, String edit, DrawnJob fast, DrawnJob slow) {
    Optional<JobResult> before = fast.result();
    Optional<JobResult> after = before.flatMap(found -> slow.result());
    for (CollectiveCall call : after.isPresent() ? fast.calls() : List.<CollectiveCall>of()) {
      boolean isOther = compare(counts, edit, before.get(), call, after.get(), call);
      if (isOther && !edit.isEmpty()) {
        shown(counts, fast, edit, call);
      }
    }
  }

  /** Whether the second call is faster, and NCCL runs it in another way. */
  private static boolean compare(
      Counts counts,
      String edit,
      JobResult before,
      CollectiveCall fastCall,
      JobResult after,
      CollectiveCall slowCall) {
    CollectivePrediction fast = before.prediction(fastCall).orElse(null);
    CollectivePrediction slow = after.prediction(slowCall).orElse(null);
    if (fast == null || slow == null) {
      counts.other("refused");
      return false;
    }
    if (fast.source().predictsTimes() != slow.source().predictsTimes()) {
      counts.other(TWO_MODELS);
      return false;
    }
    boolean isFaster = slow.timeUs() < fast.timeUs() * (1 - TOLERANCE);
    Optional<String> other =
        isFaster ? other(before, fast, after, slow, !edit.isEmpty()) : Optional.empty();
    other.ifPresent(counts::other);
    if (other.isEmpty()) {
      counts.check(edit + ": " + words(before, fast) + ", then " + words(after, slow), !isFaster);
    }
    return other.isPresent();
  }

  /** What NCCL does in another way, so that a call may be faster. */
  private static Optional<String> other(
      JobResult before,
      CollectivePrediction fast,
      JobResult after,
      CollectivePrediction slow,
      boolean isEdited) {
    if (!fast.pair().equals(slow.pair()) || fast.channels() != slow.channels()) {
      return Optional.of(OTHER_CHOICE);
    }
    if (isEdited && !route(before, fast.algorithm()).equals(route(after, fast.algorithm()))) {
      return Optional.of(OTHER_ROUTE);
    }
    return rounds(after, slow) < rounds(before, fast)
        ? Optional.of(FEWER_ROUNDS)
        : Optional.empty();
  }

  /** Rounds of a ring between nodes, each of which has a chunk for each rank; 1 without any. */
  private static double rounds(JobResult result, CollectivePrediction prediction) {
    CallPredictor predictor = result.predictor();
    return predictor
        .planner()
        .choice(prediction.call(), Optional.empty())
        .flatMap(
            choice ->
                predictor.network().flatMap(one -> one.call(prediction.call(), choice, false)))
        .filter(NetworkCall::roundTrips)
        .map(call -> Math.ceil(call.shareBytes() / ((double) call.chunkBytes() * call.parts())))
        .orElse(1.0);
  }

  private static String words(JobResult result, CollectivePrediction prediction) {
    return "%s %d bytes on %s by %s on %d channels %.1f us (%s)"
        .formatted(
            prediction.call().collective(),
            prediction.call().sizeBytes(),
            result.connection().nodeWords(),
            prediction.launchName(),
            prediction.channels(),
            prediction.timeUs(),
            prediction.source().label());
  }

  /**
   * How many nodes NCCL makes of the machines, the order of the ranks on each channel, and the
   * names of its ports on each node.
   */
  private static List<Object> route(JobResult result, Algorithm algorithm) {
    Connection connection = result.connection();
    List<Object> route = new ArrayList<>(List.of(connection.nNodes()));
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        route.add(
            algorithm == Algorithm.RING
                ? connection.rings().next(channel, rank)
                : connection.trees().links(channel, rank));
      }
    }
    for (int node = 0; node < connection.nNodes(); node++) {
      Topology topology = connection.domain(node).topology();
      Map<NodeId, Integer> ports = topology.portById();
      for (ChannelGraph.Channel channel :
          connection.searchedGraphs(node).get(algorithm.graph()).channels()) {
        channel
            .nets()
            .ifPresent(
                nets ->
                    Stream.of(nets.in(), nets.out())
                        .map(id -> ((NetNode) topology.node(ports.get(id))).name())
                        .forEach(route::add));
      }
    }
    return route;
  }

  /** What NCCL does in another way is in the answer: a choice, a number of channels or a graph. */
  private void shown(Counts counts, DrawnJob job, String edit, CollectiveCall call) {
    List<String> words = new ArrayList<>(job.command("whatif", folder));
    words.add("-v");
    words.add(2, edit);
    String text =
        Command.run(
                DrawnJob.withCalls(words, List.of(call.collective()), List.of(call.sizeBytes())))
            .out();
    boolean isShown =
        text.lines().anyMatch(line -> line.contains(" is faster as NCCL"))
            || text.lines()
                .filter(line -> line.matches("(ring|tree|nvls|channels) .*|  [A-Z].* ch .*"))
                .anyMatch(line -> isOther(line.split(" {2,}", -1)))
            || text.lines().anyMatch(line -> line.matches("\\p{Lu}\\w+ {2,}\\d.* → .*"));
    counts.check("what makes it faster is not in " + text, isShown);
  }

  /** Whether a line of {@code whatif} has other words before and after, apart from busbw. */
  private static boolean isOther(String[] cells) {
    boolean isCall = cells[0].isEmpty();
    int before = isCall ? 3 : 1;
    return cells.length > before + 1
        && !withoutBusbw(cells[before]).equals(withoutBusbw(cells[before + 1]));
  }

  private static String withoutBusbw(String choice) {
    return choice.replaceFirst(" ch .*", " ch");
  }
}
