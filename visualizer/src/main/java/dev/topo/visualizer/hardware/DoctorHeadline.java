package dev.topo.visualizer.hardware;

import dev.topo.hw.library.Finding;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.hw.probe.Hardware;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was found on a machine in one sentence: whether NCCL would run, by which library on which
 * devices, or what it lacks.
 */
public final class DoctorHeadline {
  private DoctorHeadline() {}

  /** The sentence. */
  public static String of(DoctorReport report, List<Finding> findings) {
    List<Finding> errors = all(findings, Severity.ERROR);
    if (!errors.isEmpty()) {
      Finding first = errors.get(0);
      return "NCCL would fail here: %s%s%s."
          .formatted(
              first.text(),
              first.advice().isEmpty() ? "" : "; " + first.advice(),
              errors.size() == 1
                  ? ""
                  : "; %s below".formatted(QuantityFormat.count(errors.size() - 1, "more error")));
    }
    List<String> lacking = lacking(report);
    return lacking.isEmpty() ? runs(report, findings) : lacks(report, lacking);
  }

  private static List<Finding> all(List<Finding> findings, Severity severity) {
    return findings.stream().filter(one -> one.severity() == severity).toList();
  }

  /** What NCCL needs and the machine does not have. */
  private static List<String> lacking(DoctorReport report) {
    List<String> lacking = new ArrayList<>();
    if (report.driver().version().isEmpty()) {
      lacking.add("NVIDIA's kernel driver is not loaded");
    } else if (report.hardware().map(Hardware::gpus).map(List::isEmpty).orElse(false)) {
      lacking.add("no GPU is there");
    }
    if (library(report).isEmpty()) {
      lacking.add("no process finds libnccl.so.2");
    }
    return lacking;
  }

  private static String lacks(DoctorReport report, List<String> lacking) {
    boolean isDriver = !report.driver().version().isEmpty();
    return "NCCL would not run here: %s%s."
        .formatted(
            String.join(", and ", lacking),
            library(report)
                .map(load -> "; %s would load NCCL %s".formatted(load.process(), version(load)))
                .orElse(isDriver ? "; install NCCL, or name a program or a Python" : ""));
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
    List<Finding> warnings = all(findings, Severity.WARNING);
    return "NCCL %s would run here%s%s."
        .formatted(
            version(library(report).orElseThrow()),
            report.hardware().map(DoctorHeadline::devices).orElse(""),
            warnings.isEmpty()
                ? ", and nothing is wrong"
                : "; %s, first: %s"
                    .formatted(
                        QuantityFormat.count(warnings.size(), "warning"), warnings.get(0).text()));
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
