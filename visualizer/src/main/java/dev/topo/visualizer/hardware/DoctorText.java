package dev.topo.visualizer.hardware;

import dev.topo.hw.library.ConfFile;
import dev.topo.hw.library.Finding;
import dev.topo.hw.library.FoundSetting;
import dev.topo.hw.library.NcclLibrary;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.library.NcclVersion;
import dev.topo.hw.library.Plugin;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.hw.probe.DriverFacts;
import dev.topo.hw.probe.GpuUse;
import dev.topo.hw.probe.Hardware;
import dev.topo.hw.probe.HostFacts;
import dev.topo.hw.probe.NicUse;
import dev.topo.model.Labels;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes the findings on a machine as text, section by section. */
final class DoctorText {

  /** Maximum length of an assignment in the table; longer ones have a line of their own. */
  private static final int MAX_ASSIGNMENT = 36;

  private static final String NONE = "none";
  private static final String UNKNOWN = "unknown";

  private final DoctorReport report;
  private final String release;
  private final TextWriter out = new TextWriter();

  private DoctorText(DoctorReport report, String release) {
    this.report = report;
    this.release = release;
  }

  /**
   * Returns the text.
   *
   * @param release the NCCL release whose rules the report follows
   */
  static String of(DoctorReport report, List<Finding> findings, String release) {
    DoctorText text = new DoctorText(report, release);
    text.driver(report.driver());
    text.libraries();
    text.section("what would be loaded");
    report.loads().forEach(text::load);
    text.plugins();
    text.settings();
    report.hardware().ifPresent(text::hardware);
    text.host(report.host());
    findings(text.out.line(""), findings);
    return text.out.toString();
  }

  private void section(String title) {
    out.add(out.isEmpty() ? "" : "\n").line("%s", title);
  }

  private void noneIf(boolean isEmpty) {
    if (isEmpty) {
      out.line("  %s", NONE);
    }
  }

  private static String or(String text, String replacement) {
    return text.isEmpty() ? replacement : text;
  }

  private void driver(DriverFacts driver) {
    section("driver and CUDA");
    String module = driver.flavour().isEmpty() ? "" : ", " + driver.flavour() + " kernel module";
    out.table(
        TextTable.indented()
            .row("NVIDIA driver", driver.version().isEmpty() ? NONE : driver.version() + module)
            .row(
                "newest CUDA supported",
                driver.cuda().value().map(DriverFacts::cudaText).orElse(UNKNOWN))
            .row("libcuda.so.1", driver.libcuda().orElse(NONE))
            .row("CUDA runtime", or(String.join(", ", driver.runtimes()), NONE)));
  }

  private static String version(Optional<NcclVersion> version) {
    return version.map(NcclVersion::toString).orElse("version " + UNKNOWN);
  }

  private void libraries() {
    section("NCCL libraries");
    noneIf(report.libraries().isEmpty());
    int width =
        report.libraries().stream().mapToInt(l -> version(l.version()).length()).max().orElse(0);
    for (NcclLibrary library : report.libraries()) {
      String kind =
          switch (library.kind()) {
            case SHARED -> "";
            case BUILT_IN -> "built in; ";
            case DAMAGED -> "not an ELF file; ";
          };
      fact(
          "  " + padded(version(library.version()), width) + "  ",
          library.path(),
          kind + String.join(", ", library.foundIn()));
    }
  }

  /** Writes a fact with a remark in brackets, which goes on the next line if it does not fit. */
  private void fact(String head, String text, String remark) {
    boolean fits = head.length() + text.length() + remark.length() + 4 <= TextWriter.WIDTH;
    out.add("%s%s", head, text);
    if (!remark.isEmpty()) {
      out.add(fits ? "  " : "\n" + " ".repeat(head.length())).add("(%s)", remark);
    }
    out.line("");
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private void load(NcclLoad load) {
    out.line("  %s: %s", load.process(), load.link().label());
    if (!load.about().isEmpty()) {
      fact("    with     ", load.about(), "");
    }
    fact(
        "    NCCL     ",
        load.library()
            .map(library -> version(library.version()) + "  " + library.path())
            .orElse(NONE),
        "");
    out.paragraph("    because  " + load.why(), "             ");
    for (NcclLoad.Candidate other : load.passedOver()) {
      fact(
          "    not      ",
          version(other.version()) + "  " + other.hit().path(),
          other.hit().step().toString());
    }
  }

  private void plugins() {
    section("plugins (as NCCL " + release + " looks for them)");
    for (Plugin plugin : report.plugins()) {
      fact("  " + padded(plugin.kind().label(), 8) + "  ", state(plugin), plugin.detail());
    }
  }

  static String state(Plugin plugin) {
    return switch (plugin.state()) {
      case LOADED, IN_NET_PLUGIN -> plugin.path().orElse("");
      case STATIC -> "static";
      case OFF -> "off";
      case NOT_FOUND -> NONE;
      case UNUSABLE -> "unusable: " + plugin.path().orElse("");
    };
  }

  private void settings() {
    section("settings");
    for (ConfFile file : report.settings().files()) {
      fact("  ", "file " + file.path(), "sets " + file.lines().size());
    }
    List<FoundSetting> settings = report.settings().settings();
    noneIf(settings.isEmpty());
    int width =
        settings.stream()
            .mapToInt(setting -> assignment(setting).length())
            .filter(length -> length <= MAX_ASSIGNMENT)
            .max()
            .orElse(0);
    int origins = settings.stream().mapToInt(s -> s.origin().length()).max().orElse(0);
    for (FoundSetting setting : settings) {
      String text = assignment(setting);
      if (text.length() > MAX_ASSIGNMENT) {
        out.line("  %s", text);
        text = "";
      }
      out.line(
          "  %s  %s  %s",
          padded(text, width),
          padded(setting.origin(), origins),
          or(setting.effect(), "not read by NCCL"));
    }
  }

  private static String assignment(FoundSetting setting) {
    return setting.name() + "=" + setting.value();
  }

  private void hardware(Hardware hardware) {
    section("GPUs");
    noneIf(hardware.gpus().isEmpty());
    TextTable gpus = TextTable.indented();
    for (GpuUse gpu : hardware.gpus()) {
      gpus.row(
          "GPU " + gpu.dev(),
          gpu.busId(),
          or(gpu.model(), "-"),
          sm(gpu),
          numa(gpu.numa()),
          gdr(gpu.gdr()));
    }
    out.table(gpus);
    section(
        "network: "
            + switch (hardware.network()) {
              case "IB" -> "IB (InfiniBand or RoCE)";
              case "" -> NONE;
              default -> hardware.network();
            });
    TextTable nics = TextTable.indented();
    for (NicUse nic : hardware.nics()) {
      String speed = speed(nic.speedMbps()) + " Gb/s";
      nics.row(nic.name(), "port " + nic.port(), speed, numa(nic.numa()), gdr(nic.gdr()));
    }
    out.table(nics);
    section("GPUDirect RDMA");
    out.table(
        TextTable.indented()
            .row("module nvidia_peermem", hardware.peerMemory() ? "loaded" : "not loaded")
            .row("DMA-BUF of the kernel", hardware.kernelDmaBuf() ? "yes" : "no (before 5.12)")
            .row("DMA-BUF of the GPUs", Labels.of(hardware.gpuDmaBuf())));
  }

  static String sm(GpuUse gpu) {
    return gpu.sm() == 0 ? "sm ?" : "sm " + gpu.sm();
  }

  static String gdr(boolean isUsed) {
    return isUsed ? "GDR" : "no GDR";
  }

  private static String numa(String node) {
    return node.isEmpty() || node.equals("-1") ? "NUMA -" : "NUMA " + node;
  }

  static String speed(int mbps) {
    return mbps % 1000 == 0 ? String.valueOf(mbps / 1000) : String.valueOf(mbps / 1000.0);
  }

  private void host(HostFacts host) {
    section("limits");
    OptionalLong shared = host.sharedMemoryBytes();
    String locked =
        switch (host.lockedMemory()) {
          case "" -> UNKNOWN;
          case "unlimited" -> "unlimited";
          default -> host.lockedMemory() + " bytes";
        };
    String option = host.iommuOption().isEmpty() ? "" : ", " + host.iommuOption();
    out.table(
        TextTable.indented()
            .row("kernel", or(host.kernel(), UNKNOWN))
            .row(
                "/dev/shm",
                shared.isPresent() ? (shared.getAsLong() >> 20) + " MiB" : "no limit detected")
            .row("locked memory", locked)
            .row("IOMMU", (host.iommu() ? "enabled" : "not detected") + option));
  }

  /** Writes the errors, warnings and notes. */
  static void findings(TextWriter out, List<Finding> findings) {
    out.line("findings");
    if (findings.isEmpty()) {
      out.line("  %s", NONE);
    }
    for (Finding finding : findings) {
      out.paragraph("  " + finding.severity().label() + ": " + finding.text(), "    ");
      if (!finding.advice().isEmpty()) {
        out.paragraph("    -> " + finding.advice(), "       ");
      }
    }
  }
}
