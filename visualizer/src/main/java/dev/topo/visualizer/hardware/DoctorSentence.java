package dev.topo.visualizer.hardware;

import dev.topo.hw.library.Finding;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.hw.probe.DoctorReport.Missing;
import dev.topo.hw.probe.Hardware;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.Severity;
import java.util.List;
import java.util.Optional;

/**
 * Summarises the findings on a machine in one sentence: whether NCCL would run, with which library
 * on which devices, or what is missing.
 */
final class DoctorSentence {
  private DoctorSentence() {}

  /** Returns the sentence. */
  static String of(DoctorReport report, List<Finding> findings) {
    List<Finding> errors = all(findings, Severity.ERROR);
    List<Missing> missing = report.missing();
    // If only NCCL is missing, the error about it has advice, so it is reported.
    if (!errors.isEmpty() && (missing.isEmpty() || missing.equals(List.of(Missing.NCCL)))) {
      Finding first = errors.get(0);
      return "NCCL would fail here: %s%s%s."
          .formatted(
              first.text(),
              first.advice().isEmpty() ? "" : "; " + first.advice(),
              errors.size() == 1 ? "" : below(errors.size() - 1, "more error"));
    }
    if (!missing.isEmpty()) {
      return lacks(report, missing, errors.isEmpty() ? "" : below(errors.size(), "error"));
    }
    return report.hardware().isEmpty() ? loads(report, findings) : runs(report, findings);
  }

  private static String below(int count, String noun) {
    return "; %s below".formatted(QuantityFormat.count(count, noun));
  }

  private static List<Finding> all(List<Finding> findings, Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).toList();
  }

  private static String text(Missing missing) {
    return switch (missing) {
      case DRIVER -> "NVIDIA's kernel driver is not loaded";
      case GPU -> "no GPU is there";
      case NCCL -> "no process finds libnccl.so.2";
    };
  }

  private static String lacks(DoctorReport report, List<Missing> missing, String errors) {
    boolean hasDriver = !missing.contains(Missing.DRIVER);
    return "NCCL would not run here: %s%s%s."
        .formatted(
            QuantityFormat.joined(", and ", missing, DoctorSentence::text),
            library(report)
                .map(load -> "; %s would load NCCL %s".formatted(load.process(), version(load)))
                .orElse(hasDriver ? "; install NCCL, or name a program or a Python" : ""),
            errors);
  }

  /** The sentence for a container image, where only its NCCL is examined, not the devices. */
  private static String loads(DoctorReport report, List<Finding> findings) {
    NcclLoad load = library(report).orElseThrow();
    return "NCCL %s would be loaded here by %s%s; driver and devices are not examined without /sys."
        .formatted(version(load), load.process(), warnings(findings));
  }

  private static Optional<NcclLoad> library(DoctorReport report) {
    return report.loads().stream().filter(load -> load.library().isPresent()).findFirst();
  }

  private static String version(NcclLoad load) {
    return load.library()
        .flatMap(library -> library.version())
        .map(Object::toString)
        .orElse("of an unknown version");
  }

  private static String runs(DoctorReport report, List<Finding> findings) {
    return "NCCL %s would run here%s%s."
        .formatted(
            version(library(report).orElseThrow()),
            report.hardware().map(DoctorSentence::devices).orElse(""),
            warnings(findings));
  }

  private static String warnings(List<Finding> findings) {
    List<Finding> warnings = all(findings, Severity.WARNING);
    return warnings.isEmpty()
        ? ", and nothing is wrong"
        : "; %s, first: %s"
            .formatted(QuantityFormat.count(warnings.size(), "warning"), warnings.get(0).text());
  }

  private static String devices(Hardware hardware) {
    long direct = hardware.nics().stream().filter(nic -> nic.gdr()).count();
    String network =
        switch (hardware.network()) {
          case "" -> ", without a network";
          case "IB" ->
              " and %s of InfiniBand or RoCE, %s"
                  .formatted(
                      QuantityFormat.count(hardware.nics().size(), "port"),
                      direct == 0
                          ? "none with GPUDirect RDMA"
                          : direct == hardware.nics().size()
                              ? "with GPUDirect RDMA"
                              : direct + " with GPUDirect RDMA");
          default -> ", between nodes over TCP only";
        };
    return " on " + QuantityFormat.count(hardware.gpus().size(), "GPU") + network;
  }
}
