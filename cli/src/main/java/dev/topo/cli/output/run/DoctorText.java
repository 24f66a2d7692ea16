package dev.topo.cli.output.run;

import dev.topo.cli.output.TextTable;
import dev.topo.probe.doctor.DoctorReport;
import dev.topo.probe.doctor.DriverFacts;
import dev.topo.probe.doctor.GpuUse;
import dev.topo.probe.doctor.Hardware;
import dev.topo.probe.doctor.HostFacts;
import dev.topo.probe.doctor.NicUse;
import dev.topo.probe.library.NcclLibrary;
import dev.topo.probe.library.NcclLoad;
import dev.topo.probe.library.NcclVersion;
import dev.topo.probe.library.Plugin;
import dev.topo.probe.nvml.Capability;
import dev.topo.probe.settings.Finding;
import dev.topo.probe.settings.FoundSetting;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was found on a machine, section by section, for people. */
public final class DoctorText {
  private static final int WIDTH = 98;

  /** A longer setting has a line of its own. */
  private static final int MAX_ASSIGNMENT = 36;

  private static final String NONE = "none";
  private static final String UNKNOWN = "unknown";

  private final DoctorReport report;
  private final StringBuilder out = new StringBuilder();

  private DoctorText(DoctorReport report) {
    this.report = report;
  }

  /** The text. */
  public static String of(DoctorReport report, List<Finding> findings) {
    DoctorText text = new DoctorText(report);
    text.driver(report.driver());
    text.libraries();
    text.section("what would be loaded");
    report.loads().forEach(text::load);
    text.plugins();
    text.settings();
    report.hardware().ifPresent(text::hardware);
    text.host(report.host());
    text.findings(findings);
    return text.out.toString();
  }

  private void section(String title) {
    out.append(out.length() == 0 ? "" : "\n").append(title).append('\n');
  }

  private void rows(List<List<String>> rows) {
    TextTable.append(
        out,
        rows.stream()
            .map(
                row -> {
                  List<String> cells = new ArrayList<>(row);
                  cells.set(0, "  " + cells.get(0));
                  return List.copyOf(cells);
                })
            .toList());
  }

  private void driver(DriverFacts driver) {
    section("driver and CUDA");
    String module = driver.flavour().isEmpty() ? "" : ", " + driver.flavour() + " kernel module";
    rows(
        List.of(
            List.of("NVIDIA driver", driver.version().isEmpty() ? NONE : driver.version() + module),
            List.of(
                "newest CUDA supported",
                driver.cuda().value().map(DriverFacts::cudaText).orElse(UNKNOWN)),
            List.of("libcuda.so.1", driver.libcuda().orElse(NONE)),
            List.of(
                "CUDA runtime",
                driver.runtimes().isEmpty() ? NONE : String.join(", ", driver.runtimes()))));
  }

  private static String version(Optional<NcclVersion> version) {
    return version.map(NcclVersion::toString).orElse("version " + UNKNOWN);
  }

  private void libraries() {
    section("NCCL libraries");
    if (report.libraries().isEmpty()) {
      out.append("  ").append(NONE).append('\n');
    }
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

  /** A fact with a remark in brackets, which has a line of its own where one is too short. */
  private void fact(String head, String text, String remark) {
    out.append(head).append(text);
    if (!remark.isEmpty()) {
      boolean fits = head.length() + text.length() + remark.length() + 4 <= WIDTH;
      out.append(fits ? "  " : "\n" + " ".repeat(head.length()))
          .append('(')
          .append(remark)
          .append(')');
    }
    out.append('\n');
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private void load(NcclLoad load) {
    out.append("  ").append(load.process()).append(": ").append(load.link().label()).append('\n');
    if (!load.about().isEmpty()) {
      fact("    with     ", load.about(), "");
    }
    fact(
        "    NCCL     ",
        load.library()
            .map(library -> version(library.version()) + "  " + library.path())
            .orElse(NONE),
        "");
    wrap("    because  " + load.why(), "             ");
    for (NcclLoad.Candidate other : load.passedOver()) {
      fact(
          "    not      ",
          version(other.version()) + "  " + other.hit().path(),
          other.hit().step().toString());
    }
  }

  private void plugins() {
    section("plugins (as NCCL " + NcclProfile.DEFAULT.version() + " looks for them)");
    for (Plugin plugin : report.plugins()) {
      String text =
          switch (plugin.state()) {
            case LOADED, IN_NET_PLUGIN -> plugin.path().orElse("");
            case STATIC -> "static";
            case OFF -> "off";
            case NOT_FOUND -> NONE;
            case UNUSABLE -> "unusable: " + plugin.path().orElse("");
          };
      fact("  " + padded(plugin.kind().label(), 8) + "  ", text, plugin.detail());
    }
  }

  private void settings() {
    section("settings");
    report
        .settings()
        .files()
        .forEach(file -> fact("  ", "file " + file.path(), "sets " + file.lines().size()));
    List<FoundSetting> settings = report.settings().settings();
    if (settings.isEmpty()) {
      out.append("  ").append(NONE).append('\n');
    }
    int width =
        settings.stream()
            .mapToInt(setting -> assignment(setting).length())
            .filter(length -> length <= MAX_ASSIGNMENT)
            .max()
            .orElse(0);
    int origins = settings.stream().mapToInt(s -> s.origin().length()).max().orElse(0);
    for (FoundSetting setting : settings) {
      String text = assignment(setting);
      String effect = setting.effect().isEmpty() ? "not read by NCCL" : setting.effect();
      out.append("  ")
          .append(
              text.length() <= MAX_ASSIGNMENT
                  ? padded(text, width)
                  : text + "\n  " + " ".repeat(width))
          .append("  ")
          .append(padded(setting.origin(), origins))
          .append("  ")
          .append(effect)
          .append('\n');
    }
  }

  private static String assignment(FoundSetting setting) {
    return setting.name() + "=" + printable(setting.value());
  }

  private static String printable(String value) {
    return value.replaceAll("\\p{Cntrl}", "?");
  }

  private void hardware(Hardware hardware) {
    section("GPUs");
    List<List<String>> rows = new ArrayList<>();
    for (GpuUse gpu : hardware.gpus()) {
      rows.add(
          List.of(
              "GPU " + gpu.dev(),
              gpu.busId(),
              gpu.model().isEmpty() ? "-" : gpu.model(),
              gpu.sm() == 0 ? "sm ?" : "sm " + gpu.sm(),
              numa(gpu.numa()),
              gpu.gdr() ? "GDR" : "no GDR"));
    }
    rows(rows.isEmpty() ? List.of(List.of(NONE)) : rows);
    section(
        "network: "
            + switch (hardware.network()) {
              case "IB" -> "IB (InfiniBand or RoCE)";
              case "" -> NONE;
              default -> hardware.network();
            });
    List<List<String>> nics = new ArrayList<>();
    for (NicUse nic : hardware.nics()) {
      nics.add(
          List.of(
              nic.name(),
              "port " + nic.port(),
              String.format(Locale.ROOT, "%s Gb/s", speed(nic.speedMbps())),
              numa(nic.numa()),
              nic.gdr() ? "GDR" : "no GDR"));
    }
    rows(nics);
    section("GPUDirect RDMA");
    rows(
        List.of(
            List.of("module nvidia_peermem", hardware.peerMemory() ? "loaded" : "not loaded"),
            List.of("DMA-BUF of the kernel", hardware.kernelDmaBuf() ? "yes" : "no (before 5.12)"),
            List.of("DMA-BUF of the GPUs", capability(hardware.gpuDmaBuf()))));
  }

  private static String numa(String node) {
    return node.isEmpty() || node.equals("-1") ? "NUMA -" : "NUMA " + node;
  }

  private static String speed(int mbps) {
    return mbps % 1000 == 0 ? String.valueOf(mbps / 1000) : String.valueOf(mbps / 1000.0);
  }

  private static String capability(Capability capability) {
    return switch (capability) {
      case YES -> "yes";
      case NO -> "no";
      case UNKNOWN -> UNKNOWN;
    };
  }

  private void host(HostFacts host) {
    section("limits");
    String iommu = host.iommu() ? "enabled" : "not detected";
    rows(
        List.of(
            List.of("kernel", host.kernel().isEmpty() ? UNKNOWN : host.kernel()),
            List.of(
                "/dev/shm",
                host.sharedMemoryBytes().isPresent()
                    ? (host.sharedMemoryBytes().getAsLong() >> 20) + " MiB"
                    : "no limit detected"),
            List.of("locked memory", locked(host.lockedMemory())),
            List.of(
                "IOMMU", iommu + (host.iommuOption().isEmpty() ? "" : ", " + host.iommuOption()))));
  }

  private static String locked(String words) {
    if (words.isEmpty()) {
      return UNKNOWN;
    }
    return words.equals("unlimited") ? words : words + " bytes";
  }

  private void findings(List<Finding> findings) {
    section("findings");
    if (findings.isEmpty()) {
      out.append("  ").append(NONE).append('\n');
    }
    for (Finding finding : findings) {
      wrap("  " + finding.severity().label() + ": " + finding.text(), "    ");
      if (!finding.advice().isEmpty()) {
        wrap("    -> " + finding.advice(), "       ");
      }
    }
  }

  /** Breaks a line at blanks; a word that is too long for a line has one of its own. */
  private void wrap(String text, String indent) {
    String rest = text;
    while (rest.length() > WIDTH) {
      int blank = rest.lastIndexOf(' ', WIDTH);
      if (blank <= rest.length() - rest.stripLeading().length()) {
        blank = rest.indexOf(' ', WIDTH);
      }
      if (blank < 0) {
        break;
      }
      out.append(rest, 0, blank).append('\n');
      rest = indent + rest.substring(blank + 1);
    }
    out.append(rest).append('\n');
  }
}
