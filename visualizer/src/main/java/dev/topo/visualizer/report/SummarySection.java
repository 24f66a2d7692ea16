package dev.topo.visualizer.report;

import dev.topo.model.MachineWords;
import dev.topo.model.PathType;
import dev.topo.model.QuantityWords;
import dev.topo.model.Topology;
import dev.topo.model.collective.Collective;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.lint.finding.LintFinding;
import dev.topo.model.lint.finding.Severity;
import dev.topo.model.node.NodeType;
import dev.topo.model.path.Paths;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.search.tuning.SizeRange;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.accuracy.Judgement;
import dev.topo.visualizer.html.Element;
import dev.topo.visualizer.html.Markup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The job in sentences: what someone who reads nothing else should know. */
final class SummarySection {
  private static final long[] SIZES = {1L << 20, 64L << 20, 1L << 30};

  private final ReportSubject subject;
  private final List<ReportPart> parts;
  private final List<Judgement> judgements;
  private final List<String> odd;
  private final List<Element> terms = new ArrayList<>();

  private SummarySection(
      ReportSubject subject, List<ReportPart> parts, List<Judgement> judgements) {
    this.subject = subject;
    this.parts = parts;
    this.judgements = judgements;
    this.odd = oddThings();
  }

  static Element of(ReportSubject subject, List<ReportPart> parts, List<Judgement> judgements) {
    SummarySection summary = new SummarySection(subject, parts, judgements);
    summary.machine();
    summary.links();
    summary.channels();
    if (subject.nRanks() > 1) {
      summary.choice();
      summary.speed();
      summary.limit();
    }
    if (!judgements.isEmpty()) {
      summary.measured();
    }
    summary.term("Odd", summary.odd.isEmpty() ? List.of("Nothing.") : summary.odd);
    return Element.of(
            "section",
            Element.of("h2", "Summary"),
            summary.figures(),
            Element.of("dl", summary.terms).as("summary"))
        .with("id", "summary");
  }

  private void term(String name, List<String> sentences) {
    if (!sentences.isEmpty()) {
      List<Markup> lines = new ArrayList<>();
      sentences.forEach(sentence -> lines.add(Element.of("p", sentence)));
      terms.add(Element.of("div", Element.of("dt", name), Element.of("dd", lines)));
    }
  }

  /** The numbers that are asked for first. */
  private Element figures() {
    List<Element> figures = new ArrayList<>();
    figures.add(
        figure(
            String.valueOf(subject.nRanks()),
            (subject.nRanks() == 1 ? "rank on " : "ranks on ") + count(subject.nNodes(), "node")));
    for (ChannelGraph graph : parts.get(0).found().stream().limit(1).toList()) {
      figures.add(
          figure(
              graph.nChannels() + " × " + DeviceWords.gbps(graph.bwIntra()) + " GB/s",
              graph.kind().label() + (graph.nChannels() == 1 ? " channel" : " channels")));
    }
    if (subject.nRanks() > 1) {
      long size = SIZES[SIZES.length - 1];
      predicted(size)
          .ifPresent(
              prediction ->
                  figures.add(
                      figure(
                          QuantityWords.bandwidth(prediction.busbwGBps()) + " GB/s",
                          "busbw of "
                              + collective().label()
                              + " at "
                              + QuantityWords.size(size)
                              + (prediction.isCalibrated() ? "" : ", NCCL's model"))));
    }
    figures.add(figure(String.valueOf(odd.size()), odd.size() == 1 ? "odd thing" : "odd things"));
    return Element.of("div", figures).as("figures");
  }

  private static Element figure(String value, String meaning) {
    return Element.of("div", Element.of("b", value), Element.of("span", meaning));
  }

  private void machine() {
    List<String> sentences = new ArrayList<>();
    sentences.add(count(subject.nRanks(), "rank") + " on " + count(subject.nNodes(), "node") + ".");
    for (ReportPart part : parts) {
      sentences.add(
          (parts.size() == 1 ? (part.nodes().size() == 1 ? "It has " : "Each has ") : prefix(part))
              + MachineWords.summary(part.domain().topology())
              + ".");
    }
    Map<String, String> settings =
        subject.communicator().job().machines().get(0).settings().values();
    if (!settings.isEmpty()) {
      sentences.add(
          settings.entrySet().stream()
              .map(setting -> setting.getKey() + "=" + setting.getValue())
              .collect(Collectors.joining(", ", "Settings: ", ".")));
    }
    term("Machine", sentences);
  }

  private String prefix(ReportPart part) {
    return parts.size() == 1 ? "" : part.title(parts.size()) + ": ";
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** A kind of path and how many there are. */
  private static final class Kind {
    private int number;
    private double least = Double.MAX_VALUE;
    private double most;

    void add(double bwGBps) {
      number++;
      least = Math.min(least, bwGBps);
      most = Math.max(most, bwGBps);
    }

    String bandwidth() {
      String low = DeviceWords.gbps(least);
      String high = DeviceWords.gbps(most);
      return (low.equals(high) ? high : low + " to " + high) + " GB/s";
    }
  }

  private void links() {
    List<String> sentences = new ArrayList<>();
    for (ReportPart part : parts) {
      Topology topology = part.domain().topology();
      Paths paths = part.domain().paths();
      int[] gpus = topology.indexes(NodeType.GPU);
      Map<PathType, Kind> between = new TreeMap<>();
      Map<PathType, Kind> toPorts = new TreeMap<>();
      for (int from : gpus) {
        for (int to : gpus) {
          if (from != to) {
            between
                .computeIfAbsent(paths.type(from, to), type -> new Kind())
                .add(paths.bwGBps(from, to));
          }
        }
        nearestPort(topology, paths, from)
            .ifPresent(
                net ->
                    toPorts
                        .computeIfAbsent(paths.type(from, net), type -> new Kind())
                        .add(paths.bwGBps(from, net)));
      }
      if (!between.isEmpty()) {
        sentences.add(prefix(part) + "GPUs reach each other over " + kinds(between, "pairs") + ".");
      }
      if (!toPorts.isEmpty()) {
        sentences.add(
            prefix(part) + "The nearest port of a GPU is over " + kinds(toPorts, "GPUs") + ".");
      }
    }
    term("Links", sentences);
  }

  private static Optional<Integer> nearestPort(Topology topology, Paths paths, int gpu) {
    Optional<Integer> nearest = Optional.empty();
    for (int net : topology.indexes(NodeType.NET)) {
      if (nearest.isEmpty()
          || paths.type(gpu, net).rank() < paths.type(gpu, nearest.get()).rank()) {
        nearest = Optional.of(net);
      }
    }
    return nearest;
  }

  /** Kinds of paths: {@code NVL at 370.8 GB/s}, with numbers where there are several. */
  private static String kinds(Map<PathType, Kind> kinds, String noun) {
    int all = kinds.values().stream().mapToInt(kind -> kind.number).sum();
    return kinds.entrySet().stream()
        .map(
            entry -> {
              Kind kind = entry.getValue();
              return entry.getKey()
                  + " at "
                  + kind.bandwidth()
                  + (kinds.size() == 1
                      ? ""
                      : String.format(
                          Locale.ROOT,
                          " (%d %% of %s)",
                          Math.round(100.0 * kind.number / all),
                          noun));
            })
        .collect(Collectors.joining(", "));
  }

  private void channels() {
    List<String> sentences = new ArrayList<>();
    for (ReportPart part : parts) {
      if (part.found().isEmpty()) {
        sentences.add(prefix(part) + "NCCL finds none.");
      }
      part.found().forEach(graph -> sentences.add(prefix(part) + graph(part, graph) + "."));
    }
    if (subject.nRanks() > 1) {
      int channels = subject.communicator().connection().nChannels();
      sentences.add("Rings and trees over all ranks run on " + count(channels, "channel") + ".");
    }
    term("Channels", sentences);
  }

  private static String graph(ReportPart part, ChannelGraph graph) {
    return graph.kind().label()
        + " "
        + graph.nChannels()
        + " x "
        + DeviceWords.gbps(graph.bwIntra())
        + " GB/s over "
        + graph.typeIntra()
        + (part.domain().crossesNetwork()
            ? ", "
                + DeviceWords.gbps(graph.bwInter())
                + " GB/s to the network over "
                + graph.typeInter()
            : "");
  }

  private Collective collective() {
    return subject.calls().collectives().get(0);
  }

  private void choice() {
    List<String> ranges = new ArrayList<>();
    List<List<SizeRange>> all = ChoicesSection.ranges(subject, collective());
    for (int i = 0; i < all.size(); i++) {
      List<SizeRange> range = all.get(i);
      String what =
          range
              .get(0)
              .choice()
              .map(c -> c.algorithm().label() + "/" + c.protocol().label())
              .orElse("nothing (NCCL refuses)");
      ranges.add(
          i == all.size() - 1 && i > 0
              ? what + " above"
              : what + " up to " + QuantityWords.size(range.get(range.size() - 1).maxBytes()));
    }
    term(
        "Choice",
        List.of("For " + collective().label() + " NCCL takes " + String.join(", ", ranges) + "."));
  }

  private Optional<Prediction> predicted(long size) {
    return subject.predictor().predict(CollectiveCall.of(collective(), size), false);
  }

  private void speed() {
    List<String> speeds = new ArrayList<>();
    boolean calibrated = true;
    for (long size : SIZES) {
      Optional<Prediction> prediction = predicted(size);
      if (prediction.isPresent()) {
        calibrated &= prediction.get().isCalibrated();
        speeds.add(
            QuantityWords.bandwidth(prediction.get().busbwGBps())
                + " GB/s at "
                + QuantityWords.size(size));
      }
    }
    if (!speeds.isEmpty()) {
      term(
          "Speed",
          List.of(
              "Expected busbw of " + collective().label() + ": " + String.join(", ", speeds) + ".",
              calibrated
                  ? subject.basis().source()
                  : "By NCCL's own model, which ranks algorithms: real busbw differs."));
    }
  }

  private void limit() {
    long size = SIZES[SIZES.length - 1];
    List<String> sentences = new ArrayList<>();
    predicted(size)
        .ifPresent(
            prediction ->
                sentences.add(
                    "At "
                        + QuantityWords.size(size)
                        + " "
                        + PredictionsSection.pair(prediction)
                        + " is limited by "
                        + prediction.estimate().bottleneck().label()
                        + linkOf(prediction)
                        + "."));
    ReportPart first = parts.get(0);
    if (!first.found().isEmpty()) {
      ChannelGraph graph = first.found().get(0);
      sentences.add(
          "The fullest link under the "
              + graph.kind().label()
              + " channels is "
              + DeviceWords.fullest(first.domain(), graph)
              + ".");
    }
    term("Limit", sentences);
  }

  private String linkOf(Prediction prediction) {
    String limit = DeviceWords.limit(subject.predictor(), prediction);
    return limit.equals(prediction.estimate().bottleneck().word()) ? "" : " (" + limit + ")";
  }

  private void measured() {
    long failed = judgements.stream().filter(judgement -> !judgement.passes()).count();
    term(
        "Measured",
        List.of(
            judgements.size()
                + " measurements: "
                + (failed == 0
                    ? "all as fast as predicted."
                    : failed + " slower than predicted allows.")));
  }

  private List<String> oddThings() {
    List<String> sentences = new ArrayList<>();
    for (ReportPart part : parts) {
      Oddities.of(part).forEach(odd -> sentences.add(prefix(part) + odd));
    }
    for (Severity severity : Severity.values()) {
      List<LintFinding> found =
          subject.findings().stream()
              .flatMap(file -> file.findings().stream())
              .filter(finding -> finding.severity() == severity)
              .toList();
      if (severity != Severity.NOTE && !found.isEmpty()) {
        sentences.add(
            "lint: "
                + count(found.size(), severity.label())
                + ", first: "
                + found.get(0).message()
                + ".");
      }
    }
    slowChoice().ifPresent(sentences::add);
    return sentences;
  }

  /** Where NCCL's choice loses most, if it loses much. */
  private Optional<String> slowChoice() {
    double worst = 0.1;
    Optional<String> sentence = Optional.empty();
    if (subject.nRanks() < 2) {
      return sentence;
    }
    for (long size : subject.calls().sizes()) {
      CollectiveCall call = CollectiveCall.of(collective(), size);
      Optional<Prediction> chosen = subject.predictor().predict(call, false);
      Optional<Prediction> best = subject.predictor().best(call, false);
      if (chosen.isPresent() && best.isPresent()) {
        double regret = chosen.get().timeUs() / best.get().timeUs() - 1;
        if (regret > worst) {
          worst = regret;
          sentence =
              Optional.of(
                  String.format(
                      Locale.ROOT,
                      "For %s of %s NCCL takes %s, predicted to be %.0f %% slower than %s: worth a measurement.",
                      collective().label(),
                      QuantityWords.size(size),
                      PredictionsSection.pair(chosen.get()),
                      100 * regret,
                      PredictionsSection.pair(best.get())));
        }
      }
    }
    return sentence;
  }
}
