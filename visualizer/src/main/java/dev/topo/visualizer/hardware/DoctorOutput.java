package dev.topo.visualizer.hardware;

import dev.topo.hw.library.Finding;
import dev.topo.hw.library.FoundSetting;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.library.NcclVersion;
import dev.topo.hw.library.Plugin;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.hw.probe.DriverFacts;
import dev.topo.hw.probe.GpuUse;
import dev.topo.hw.probe.Hardware;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The NCCL library that would be loaded on a machine, and the findings, as text or JSON. */
public final class DoctorOutput {
  private static final String NONE = "none";

  private DoctorOutput() {}

  /**
   * Returns the answer.
   *
   * @param format {@code text} or {@code json}
   * @param isVerbose whether the text has all details instead of those that fit on a screen
   * @param release the NCCL release whose rules the findings follow
   */
  public static Answer of(DoctorReport report, String format, boolean isVerbose, String release) {
    List<Finding> findings = report.findings();
    Answer answer =
        format.equals("json")
            ? DoctorJson.of(report, findings)
            : Answer.of(
                isVerbose ? DoctorText.of(report, findings, release) : overview(report, findings));
    return answer.saying(DoctorSentence.of(report, findings));
  }

  /** The text that fits on a screen: a line for each component, then the findings. */
  private static String overview(DoctorReport report, List<Finding> findings) {
    TextTable parts = TextTable.indented().row("driver", driver(report.driver()));
    report.loads().forEach(load -> parts.row("NCCL", load(load)).row("", "because " + load.why()));
    parts
        .row(
            "plugins",
            joined(
                report.plugins().stream()
                    .filter(DoctorOutput::isRelevant)
                    .map(DoctorOutput::plugin)))
        .row("settings", joined(report.settings().settings().stream().map(FoundSetting::name)));
    report
        .hardware()
        .ifPresent(
            hardware -> parts.row("GPUs", gpus(hardware.gpus())).row("network", network(hardware)));
    TextWriter out = new TextWriter().table(parts);
    if (!findings.isEmpty()) {
      DoctorText.findings(out.line(""), findings);
    }
    out.line("").line("libraries, devices and limits: %s", OptionWords.Hint.LISTS_ALL);
    return out.toString();
  }

  private static String driver(DriverFacts driver) {
    return driver.version().isEmpty()
        ? NONE
        : driver.version()
            + driver.cuda().value().map(cuda -> ", CUDA " + DriverFacts.cudaText(cuda)).orElse("");
  }

  private static String load(NcclLoad load) {
    return load.library()
            .map(
                library ->
                    library.version().map(NcclVersion::toString).orElse("of an unknown version")
                        + " ("
                        + library.path()
                        + ")")
            .orElse(NONE)
        + " for "
        + load.process();
  }

  private static boolean isRelevant(Plugin plugin) {
    return plugin.named() || plugin.state() != Plugin.State.NOT_FOUND;
  }

  private static String plugin(Plugin plugin) {
    return plugin.kind().label() + " " + DoctorText.state(plugin);
  }

  /** The GPUs; equal ones are counted together. */
  private static String gpus(List<GpuUse> gpus) {
    return counted(gpus.stream().map(gpu -> DoctorText.sm(gpu) + " " + DoctorText.gdr(gpu.gdr())));
  }

  private static String network(Hardware hardware) {
    if (hardware.network().isEmpty()) {
      return NONE;
    }
    return hardware.network()
        + ": "
        + counted(
            hardware.nics().stream()
                .map(
                    nic ->
                        DoctorText.speed(nic.speedMbps()) + " Gb/s " + DoctorText.gdr(nic.gdr())));
  }

  private static String counted(Stream<String> words) {
    Map<String, Long> counts =
        words.collect(
            Collectors.groupingBy(word -> word, LinkedHashMap::new, Collectors.counting()));
    return joined(counts.entrySet().stream().map(e -> e.getValue() + " x " + e.getKey()));
  }

  private static String joined(Stream<String> words) {
    String text = words.collect(Collectors.joining(", "));
    return text.isEmpty() ? NONE : text;
  }
}
