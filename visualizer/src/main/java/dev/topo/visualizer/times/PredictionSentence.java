package dev.topo.visualizer.times;

import dev.topo.model.Alike;
import dev.topo.model.DeviceName;
import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.NetworkPredictor;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.FabricTraffic;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.PortLoad;
import dev.topo.simulator.network.PortLoad.PathLimit;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.visualizer.structure.MostFilledLink;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Summarises a forecast in one sentence: the busbw of the largest usual call, its range, what
 * limits it and what would change that.
 */
public final class PredictionSentence {
  /** The size that busbw is quoted for if the user names no size. */
  private static final long USUAL_BYTES = 1L << 30;

  /** With more sizes than this, the request counts as a sweep, and the usual size is quoted. */
  private static final int MAX_NAMED_SIZES = 6;

  /**
   * If the steps between neighbours take more than this fraction of the time, it counts as nearly
   * all latency.
   */
  private static final double NEARLY_ALL_FRACTION = 0.8;

  private static final String IN_A_NODE = "the links inside a node";

  private final CommunicatorPredictions forecast;

  private PredictionSentence(CommunicatorPredictions forecast) {
    this.forecast = forecast;
  }

  /** Returns the sentence; if no time is known, it states the reason. */
  public static String of(CommunicatorPredictions forecast) {
    return new PredictionSentence(forecast).sentence();
  }

  /** The limit of a call, as the end of a sentence that names its time or busbw. */
  static String limit(CommunicatorPredictions forecast, Prediction prediction) {
    return new PredictionSentence(forecast).limit(prediction);
  }

  private String sentence() {
    Map<Operation, Prediction> shown = shown();
    if (shown.isEmpty()) {
      return refused();
    }
    Prediction main = shown.values().iterator().next();
    String subject =
        failing(forecast.obstacles().keySet().stream().filter(forecast.predictor()::isRefused))
                .map(failing -> failing + "; ")
                .orElse("")
            + subject(main);
    String sentence = subject + amount(main) + range(main, true) + limit(main);
    return Sentence.of(
            sentence + share(main) + change(main),
            sentence + change(main),
            sentence,
            subject + amount(main) + range(main, false) + limit(main),
            subject + amount(main) + range(main, false))
        + ".";
  }

  /**
   * Returns the busbw of the other operations at the same size, for a line below the table: {@code
   * AllGather 340}.
   */
  static Optional<String> others(CommunicatorPredictions forecast) {
    Map<Operation, Prediction> shown = new PredictionSentence(forecast).shown();
    return shown.values().stream()
        .skip(1)
        .map(other -> "%s %s".formatted(label(other), BusbwWords.range(other).number()))
        .reduce((a, b) -> a + ", " + b)
        .map(list -> "at %s: %s GB/s".formatted(sizes(shown), list));
  }

  /** The call of each operation that the sentence is about, in the order of the operations. */
  private Map<Operation, Prediction> shown() {
    Map<Operation, Prediction> shown = new LinkedHashMap<>();
    Stream<Prediction> predictions =
        Stream.concat(
            forecast.calls().stream().flatMap(PredictionSentence::chosen),
            forecast.peers().stream());
    Alike.by(predictions.toList(), prediction -> prediction.operation())
        .forEach((operation, calls) -> shown.put(operation, usual(calls)));
    return shown;
  }

  private static Stream<CollectivePrediction> chosen(PredictedCall call) {
    return call.shown().stream()
        .filter(prediction -> call.isChosen(prediction) || call.shown().size() == 1);
  }

  private static Prediction usual(List<Prediction> calls) {
    long largest =
        calls.stream().mapToLong(prediction -> prediction.sizeBytes()).max().orElseThrow();
    long wanted = calls.size() > MAX_NAMED_SIZES ? Math.min(largest, USUAL_BYTES) : largest;
    return calls.stream()
        .min(Comparator.comparingLong(prediction -> Math.abs(prediction.sizeBytes() - wanted)))
        .orElseThrow();
  }

  private String refused() {
    return forecast.obstacles().entrySet().stream()
        .findFirst()
        .map(
            call ->
                "No time for %s on %s: %s."
                    .formatted(
                        call.getKey().operation().label(),
                        forecast.title(),
                        call.getValue().replaceFirst("^no time: ", "")))
        .orElseGet(() -> "No time is known for these calls on %s.".formatted(forecast.title()));
  }

  private String subject(Prediction main) {
    return "%s on %s%s".formatted(main.call().label(), forecast.title(), withoutSwitches());
  }

  /** A remark in brackets if the stated switches have no effect. */
  private String withoutSwitches() {
    if (forecast.result().request().fabric().isEmpty()) {
      return "";
    }
    if (forecast.nNodes() == 1) {
      return " (on one node, where switches have no effect)";
    }
    return forecast
        .predictor()
        .network()
        .flatMap(NetworkPredictor::fabric)
        .filter(FabricTraffic::isUnlimited)
        .map(switches -> " (no uplink bandwidth is stated: switches limit nothing)")
        .orElse("");
  }

  /** The busbw, or the time if the call is so small that busbw says little. */
  private String amount(Prediction main) {
    boolean isLatency =
        main.estimate().bottleneck() == Bottleneck.LATENCY
            || main.estimate().bottleneck() == Bottleneck.LAUNCH;
    return (isLatency
            ? " takes " + time(main)
            : ": " + rate(BusbwWords.range(main)) + launchName(main))
        + (forecast.hasSlowerKind(main) ? " (" + KnownSpread.slowerKind() + ")" : "");
  }

  /** States that no range is known, optionally with the reason; empty if there is a range. */
  private String range(Prediction main, boolean hasReason) {
    if (main.spread().isPresent()) {
      return "";
    }
    return ", no range known" + (hasReason ? " (" + whyNoRange(main) + ")" : "");
  }

  /** What NCCL runs, if the limit does not name it. */
  private static String launchName(Prediction main) {
    boolean runsKernel =
        main instanceof CollectivePrediction collective && collective.kernel().isPresent();
    return !runsKernel && (main.source() == Source.NCCL_MODEL || main.tunedAlgorithm().isEmpty())
        ? ""
        : " by " + main.launchName();
  }

  private static String rate(RangedNumber busbw) {
    return busbw.number() + " GB/s busbw" + busbw.inBrackets("");
  }

  private String time(Prediction prediction) {
    return PredictionRow.of(forecast, prediction).time(RangedNumber::text);
  }

  private String whyNoRange(Prediction main) {
    if (main.source() == Source.UNMEASURED) {
      return "no run of " + main.launchName() + " between nodes is known";
    }
    if (forecast.predictor().spansHosts()) {
      return "not known between NVLink domains of several hosts";
    }
    if (forecast.predictor().planner().concurrent().isPresent()
        || forecast.predictor().planner().context().groups() > 1) {
      return "groups at once were not measured";
    }
    if (main instanceof CollectivePrediction collective && collective.kernel().isPresent()) {
      return "kernels of symmetric windows were not measured";
    }
    if (main instanceof PeerPrediction && forecast.nNodes() == 1) {
      return forecast.calibration().isLowQuality()
          ? "of PCI hosts one took 50 times as long"
          : "sends and receives were not measured on this machine";
    }
    return forecast.nNodes() > 1
        ? "published runs between nodes are not of such calls"
        : "nothing was measured on this machine";
  }

  private String limit(Prediction main) {
    if (main.source() == Source.NCCL_MODEL) {
      return main.spread().isEmpty()
          ? "; the time is that of NCCL's own model, which ranks algorithms and does not predict"
          : " by NCCL's own model" + limitOfNccl(main) + "; " + whyNcclModel(main);
    }
    return switch (main.estimate().bottleneck()) {
      case LAUNCH ->
          ", as the host needs that long to launch the kernels: a CUDA graph takes them away";
      case LATENCY ->
          main.estimate().stepsUs() > NEARLY_ALL_FRACTION * main.timeUs()
              ? ", nearly all of it latency: %s steps from rank to rank"
                  .formatted(main.launchName())
              : ", most of it latency of %s".formatted(main.launchName());
      case CHANNELS ->
          by(LimitWords.channels(main)) + (moreWouldHelp(main) ? ": more channels would help" : "");
      case LINKS -> by(link(main));
    };
  }

  private static String by(String limit) {
    return ", " + LimitWords.by(limit);
  }

  private static boolean moreWouldHelp(Prediction main) {
    return !main.tunedAlgorithm().equals(Optional.of(Algorithm.NVLS))
        || main.channels() < TimingModel.MOST_NVLS_CHANNELS;
  }

  private String whyNcclModel(Prediction main) {
    SelectedCalibration calibration = forecast.calibration();
    if (calibration.calibration().isPresent()) {
      return "%s was not measured".formatted(main.launchName());
    }
    return calibration.isNcclModel()
        ? "no calibration is used, as requested"
        : "no machine with %s was measured"
            .formatted(CalibrationChoice.of(forecast.actual()).machine().replace(", ", " and "));
  }

  /**
   * The limiting link or network part in the usual terms of the field, with figures to compare the
   * busbw with.
   */
  private String link(Prediction main) {
    PredictionRow row = PredictionRow.of(forecast, main);
    return row.fullLink()
        .map(this::name)
        .or(() -> row.network().map(part -> name(main, part)))
        .orElse(IN_A_NODE);
  }

  private String name(BusyLink link) {
    DeviceName names = new DeviceName(forecast.actual());
    String ends = names.of(link.from()) + " to " + names.of(link.to());
    return switch (link.type()) {
      case NVL -> "NVLink (%s)".formatted(ends);
      case PCI -> "PCI Express (%s)".formatted(ends);
      case SYS -> "the link between the CPUs (%s)".formatted(ends);
      default -> names.of(link.type(), link.from(), link.to());
    };
  }

  /**
   * Returns the operations whose calls NCCL refuses, so that a job that makes them fails: {@code
   * AllGather and Reduce fail, as NCCL refuses them}; empty if there are none.
   */
  public static Optional<String> failing(Stream<Call> refused) {
    List<String> names = refused.map(call -> call.operation().label()).distinct().toList();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            QuantityFormat.listed(names)
                + (names.size() == 1
                    ? " fails, as NCCL refuses it"
                    : " fail, as NCCL refuses them"));
  }

  private String name(Prediction main, NetworkPart part) {
    return switch (part.limit()) {
      case PORT -> ports(main, part.port(), part.path());
      case LINKS -> IN_A_NODE;
      case UPLINK, MESSAGES, CHANNELS -> part.label();
    };
  }

  /** Names the limiting ports; the busiest represents all that are equally busy. */
  private String ports(Prediction main, PortLoad load, PathLimit path) {
    int all = portsOfHosts(connection().domain(load.node()).topology());
    int used = load.ports().number();
    String nics =
        all == 1
            ? "its only NIC"
            : used == all ? "the NICs" : (used == 1 ? "one NIC of " : used + " NICs of ") + all;
    String subject =
        switch (path) {
              case PORT -> "";
              case CARD -> "the PCI links of ";
              case HOST_BRIDGE -> "PCI links across the host bridge to ";
              case HOST_MEMORY -> "copies through the host's memory to ";
              case LINKS -> "links inside the nodes that lead to ";
            }
            + nics
            + (all == 1 ? "" : overPaths(main, load.node()));
    String name = load.port();
    boolean isRated = path == PathLimit.PORT || path == PathLimit.CARD;
    if (!isRated || load.ports().gbps() == 0) {
      return subject + " (" + name + (used == 1 ? ")" : " fullest)");
    }
    String rate = PrintfNumber.general(Math.rint(load.ports().gbps() * 10) / 10) + " GB/s";
    return used == 1
        ? "%s (%s, %s%s)".formatted(subject, name, rate, areAlike() ? "" : onNode(load))
        : "%s (%s%s, %s fullest)"
            .formatted(subject, rate, areAlike() ? " a node" : onNode(load), name);
  }

  /** The number of ports on the hosts that have GPUs in a node. */
  private static int portsOfHosts(Topology node) {
    Set<Integer> hosts =
        node.gpus().stream().map(gpu -> gpu.systemId()).collect(Collectors.toSet());
    return (int) node.nets().stream().filter(net -> hosts.contains(net.systemId())).count();
  }

  private static String onNode(PortLoad load) {
    return " on node " + load.node();
  }

  /** True if the ports of each node have the same total rate. */
  private boolean areAlike() {
    return connection()
            .topologies()
            .mapToDouble(topology -> topology.nets().stream().mapToDouble(NetNode::bwGBps).sum())
            .distinct()
            .count()
        == 1;
  }

  /**
   * The path type from GPUs to ports in the graph of the algorithm; empty for sends and receives.
   */
  private String overPaths(Prediction main, int node) {
    return main.tunedAlgorithm()
        .map(Algorithm::graph)
        .map(kind -> connection().searchedGraphs(node).get(kind))
        .filter(graph -> connection().nNodes() > 1 && graph.nChannels() > 0)
        .map(graph -> " over " + graph.typeInter())
        .orElse("");
  }

  private Optional<ChannelGraph> graph(Prediction main) {
    return main.tunedAlgorithm()
        .map(Algorithm::graph)
        .map(kind -> connection().searchedGraphs(0).get(kind));
  }

  private Connection connection() {
    return forecast.predictor().communicator().connection();
  }

  /** The limit according to NCCL's own model, which distinguishes latency and bandwidth. */
  private String limitOfNccl(Prediction main) {
    return switch (main.estimate().bottleneck()) {
      case LATENCY -> ", most of it latency";
      case LINKS -> fullest(main);
      case LAUNCH, CHANNELS -> "";
    };
  }

  /** The link that the channels of the algorithm fill most; empty if none is known. */
  private String fullest(Prediction main) {
    return graph(main)
        .flatMap(graph -> MostFilledLink.of(connection().domain(0), graph))
        .map(link -> by(link.name()))
        .orElse("");
  }

  /** How close a link-limited call comes to the lower bound that no schedule can beat. */
  private String share(Prediction main) {
    if (main.source() == Source.NCCL_MODEL
        || main.estimate().bottleneck() != Bottleneck.LINKS
        || PredictionRow.of(forecast, main)
            .network()
            .filter(part -> part.limit() == Limit.PORT)
            .isPresent()) {
      return "";
    }
    OptionalDouble bound = forecast.predictor().leastUs(main.operation(), main.sizeBytes());
    if (bound.isEmpty() || bound.getAsDouble() > main.timeUs()) {
      return "";
    }
    return TextWriter.format(
        "; %.0f %% of what the links allow", 100 * bound.getAsDouble() / main.timeUs());
  }

  /** The gain of another choice, if known. */
  private String change(Prediction main) {
    Optional<PredictedCall> call =
        forecast.calls().stream()
            .filter(predicted -> predicted.call().equals(main.call()))
            .findFirst();
    return call.flatMap(predicted -> predicted.comparison().better())
        .map(
            better ->
                TextWriter.format(
                    "; %s would take %.0f %% less time than NCCL's choice %s",
                    better.launchName(),
                    100 * (1 - better.timeUs() / main.timeUs()),
                    main.launchName()))
        .orElse("");
  }

  private static String sizes(Map<Operation, Prediction> shown) {
    return shown.values().stream()
        .skip(1)
        .map(prediction -> QuantityFormat.size(prediction.sizeBytes()))
        .distinct()
        .reduce((a, b) -> a + " and " + b)
        .orElse("");
  }

  private static String label(Prediction prediction) {
    return prediction.operation().label();
  }
}
