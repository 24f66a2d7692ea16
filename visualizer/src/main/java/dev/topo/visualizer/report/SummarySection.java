package dev.topo.visualizer.report;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.OptionWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The summary section of a report: figures and sentences. */
final class SummarySection {
  /**
   * Maximum number of kinds of nodes whose channels are among the figures; the sentences cover all.
   */
  private static final int MAX_CHANNEL_FIGURES = 3;

  private final ReportSubject subject;
  private final List<ReportPart> parts;
  private final List<MeasurementVerdict> judgements;
  private final CallSummary calls;
  private final List<String> anomalies;
  private final List<Element> terms = new ArrayList<>();

  private SummarySection(
      ReportSubject subject, List<ReportPart> parts, List<MeasurementVerdict> judgements) {
    this.subject = subject;
    this.parts = parts;
    this.judgements = judgements;
    this.calls = new CallSummary(subject);
    this.anomalies = anomalies();
  }

  static Element of(
      ReportSubject subject, List<ReportPart> parts, List<MeasurementVerdict> judgements) {
    SummarySection summary = new SummarySection(subject, parts, judgements);
    summary.term("Answer", subject.basis().answer().stream().toList());
    if (!judgements.isEmpty()) {
      summary.term("Measured", List.of(MeasuredSection.sentence(judgements)));
    }
    summary.term("Anomalies", summary.anomalies.isEmpty() ? List.of("None.") : summary.anomalies);
    summary.term("Caveats", subject.caveats().stream().map(OptionWords::of).toList());
    summary.machine();
    summary.term("Links", summary.ofEach(LinkSummary::of));
    summary.channels();
    if (subject.nRanks() > 1) {
      summary.term("Choice", List.of(summary.calls.choice()));
      summary.term("Speed", summary.calls.speed());
      summary.term("Limit", summary.calls.limit(parts));
    }
    return Element.section(
        "summary", "Summary", summary.figures(), Element.of("dl", summary.terms).as("summary"));
  }

  private void term(String name, List<String> sentences) {
    if (!sentences.isEmpty()) {
      List<Element> lines =
          sentences.stream().map(sentence -> Element.paragraph(sentence)).toList();
      terms.add(Element.of("div", Element.of("dt", name), Element.of("dd", lines)));
    }
  }

  /** The most important numbers. */
  private Element figures() {
    List<Element> figures = new ArrayList<>();
    figures.add(
        figure(
            String.valueOf(subject.nRanks()),
            (subject.nRanks() == 1 ? "rank on " : "ranks on ") + subject.nodeWords()));
    for (ReportPart part : parts.stream().limit(MAX_CHANNEL_FIGURES).toList()) {
      part.found().stream().limit(1).forEach(graph -> figures.add(channels(part, graph)));
    }
    if (subject.nRanks() > 1) {
      calls.predicted(CallSummary.LARGE).ifPresent(large -> figures.add(busbw(large)));
    }
    figures.add(
        figure(
            anomalies.isEmpty() ? "no" : String.valueOf(anomalies.size()),
            anomalies.size() == 1 ? "anomaly" : "anomalies"));
    return Element.of("div", figures).as("figures");
  }

  private Element channels(ReportPart part, ChannelGraph graph) {
    return figure(
        graph.nChannels() + " × " + DeviceFormat.gbps(graph.bwIntra()) + " GB/s",
        graph.kind().label()
            + (graph.nChannels() == 1 ? " channel" : " channels")
            + part.suffix(parts.size()));
  }

  private Element busbw(CollectivePrediction large) {
    String size = QuantityFormat.size(CallSummary.LARGE);
    return figure(
        BusbwWords.range(large).number() + " GB/s",
        "busbw of " + calls.collective().label() + " at " + size + basis(large));
  }

  private static String basis(CollectivePrediction prediction) {
    return switch (prediction.source()) {
      case CALIBRATION -> "";
      case PUBLISHED -> ", by published measurements";
      case NETWORK -> ", by the model of the network";
      case OWN_TIMES -> ", by own times";
      case UNMEASURED -> ", by the model of the network, never measured";
      case NCCL_MODEL -> ", NCCL's model";
    };
  }

  /** A number with its meaning below, for the summary of a page. */
  static Element figure(String value, String meaning) {
    return Element.of("div", Element.of("b", value), Element.of("span", meaning));
  }

  private void machine() {
    List<String> sentences = new ArrayList<>();
    String ranks = QuantityFormat.count(subject.nRanks(), "rank");
    sentences.add(ranks + " on " + subject.nodeWords() + ".");
    for (ReportPart part : parts) {
      sentences.add(
          (parts.size() == 1 ? (part.nodes().size() == 1 ? "It has " : "Each has ") : prefix(part))
              + MachineFormat.summary(part.domain().topology())
              + ".");
    }
    sentences.addAll(subject.assumed());
    Map<String, String> settings = subject.communicator().job().settings().values();
    if (!settings.isEmpty()) {
      sentences.add(
          settings.entrySet().stream()
              .map(setting -> setting.getKey() + "=" + setting.getValue())
              .collect(Collectors.joining(", ", "Settings: ", ".")));
    }
    term("Machine", sentences);
  }

  /** Sentences about each part, with the name of the part if there are several. */
  private List<String> ofEach(Function<ReportPart, List<String>> describe) {
    List<String> sentences = new ArrayList<>();
    for (ReportPart part : parts) {
      describe.apply(part).forEach(sentence -> sentences.add(prefix(part) + sentence));
    }
    return sentences;
  }

  private String prefix(ReportPart part) {
    return parts.size() == 1 ? "" : part.title(parts.size()) + ": ";
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
      String number = QuantityFormat.count(channels, "channel");
      sentences.add("Rings and trees over all ranks run on " + number + ".");
    }
    term("Channels", sentences);
  }

  private static String graph(ReportPart part, ChannelGraph graph) {
    String bwIntra = DeviceFormat.gbps(graph.bwIntra());
    String bwInter = DeviceFormat.gbps(graph.bwInter());
    String inside =
        "%s %s x %s GB/s over %s"
            .formatted(graph.kind().label(), graph.nChannels(), bwIntra, graph.typeIntra());
    return part.domain().crossesNetwork()
        ? inside + ", " + bwInter + " GB/s to the network over " + graph.typeInter()
        : inside;
  }

  private List<String> anomalies() {
    List<String> sentences = new ArrayList<>();
    long failing = judgements.stream().filter(judgement -> !judgement.passes()).count();
    if (failing > 0) {
      sentences.add("%s of %s measurements do not pass.".formatted(failing, judgements.size()));
    }
    sentences.addAll(ofEach(UnusualFeatures::of));
    int machines = subject.communicator().job().machines().size();
    if (subject.nNodes() > machines) {
      sentences.add(
          "Only the network connects %s groups of GPUs on %s: NCCL treats each as a node."
              .formatted(subject.nNodes(), QuantityFormat.count(machines, "machine")));
    }
    for (Severity severity : Severity.values()) {
      List<LintFinding> found =
          subject.findings().stream()
              .flatMap(file -> file.findings().stream())
              .filter(finding -> finding.severity() == severity)
              .toList();
      if (severity != Severity.NOTE && !found.isEmpty()) {
        String count = QuantityFormat.count(found.size(), severity.label());
        sentences.add("lint: " + count + ", first: " + found.get(0).message() + ".");
      }
    }
    if (subject.nRanks() > 1) {
      calls.slowChoice().ifPresent(sentences::add);
    }
    return sentences;
  }
}
