package dev.topo.hw.probe;

import dev.topo.hw.library.DynamicLoader.MissingLibrary;
import dev.topo.hw.library.Finding;
import dev.topo.hw.library.NcclLibrary;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.library.NcclVersion;
import dev.topo.hw.library.Plugin;
import dev.topo.hw.library.SearchStep;
import dev.topo.hw.nvml.Capability;
import dev.topo.hw.probe.DoctorReport.Missing;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Diagnostic.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Derives findings from a report. Single use. */
final class DoctorCheck {
  /**
   * Sufficient shared memory in bytes, as in NCCL's user guide ("Troubleshooting", {@code
   * --shm-size=1g}).
   */
  private static final long ENOUGH_SHARED_MEMORY = 1L << 30;

  private static final int SHOWN_SYMBOLS = 3;

  private final DoctorReport report;
  private final List<Finding> findings = new ArrayList<>();

  DoctorCheck(DoctorReport report) {
    this.report = report;
  }

  List<Finding> findings() {
    driver();
    report.loads().forEach(this::load);
    versions();
    libraries();
    report.plugins().forEach(this::plugin);
    findings.addAll(report.settings().problems(report.nccl()));
    remarks();
    report.hardware().ifPresent(this::hardware);
    host();
    return findings.stream().sorted(Comparator.comparing(Finding::severity)).distinct().toList();
  }

  private void add(String code, Object... values) {
    findings.add(Finding.of(code, values));
  }

  private void driver() {
    if (report.missing().contains(Missing.DRIVER)) {
      add("no-driver");
    } else if (!report.driver().version().isEmpty() && report.driver().cuda().value().isEmpty()) {
      add("driver-not-asked", report.driver().cuda().reason());
    }
  }

  private void load(NcclLoad load) {
    if (load.library().isEmpty()) {
      add(
          load.link() == NcclLoad.Link.OPENED ? "nccl-not-there" : "nccl-not-found",
          load.process(),
          load.why());
      return;
    }
    NcclLibrary library = load.library().get();
    List<String> symbols = load.missingSymbols();
    if (!symbols.isEmpty()) {
      String shown = symbols.stream().limit(SHOWN_SYMBOLS).collect(Collectors.joining(", "));
      String ellipsis = symbols.size() > SHOWN_SYMBOLS ? " …" : "";
      add("nccl-too-old", load.process(), shown + ellipsis, library.path());
    }
    library.version().ifPresent(version -> versionOf(load, version));
    load.missing().forEach(this::missing);
  }

  private void versionOf(NcclLoad load, NcclVersion version) {
    Optional<Integer> driver = report.driver().cuda().value().filter(cuda -> cuda > 0);
    if (driver.isPresent()
        && version.cudaMajor().filter(major -> major > driver.get() / 1000).isPresent()) {
      add(
          "driver-too-old",
          load.process(),
          version,
          report.driver().version(),
          DriverFacts.cudaText(driver.get()),
          driver.get() / 1000);
    }
    boolean fromVariable =
        load.object()
            .map(object -> object.hit().step().rule())
            .filter(rule -> rule == SearchStep.Rule.LIBRARY_PATH || rule == SearchStep.Rule.PRELOAD)
            .isPresent();
    Optional<NcclLoad.Candidate> other =
        load.passedOver().stream()
            .filter(candidate -> !candidate.version().equals(Optional.of(version)))
            .findFirst();
    if (fromVariable && other.isPresent() && load.link() == NcclLoad.Link.NEEDED) {
      add(
          "shadowed",
          load.process(),
          version,
          other.get().version().map(NcclVersion::toString).orElse("another"),
          other.get().hit().path());
    }
    if (load.link() != NcclLoad.Link.OPENED && !version.nccl().equals(report.nccl())) {
      add("other-version", load.process(), version.nccl(), report.nccl());
    }
  }

  private void missing(MissingLibrary library) {
    add(
        "missing-library",
        library.neededBy(),
        library.name(),
        library.found().isEmpty()
            ? ", which the loader does not find"
            : ": " + library.found().get(0).path() + " cannot be loaded",
        library.name().startsWith("libcuda.so")
            ? "it comes with NVIDIA's driver"
            : "install it, or put its folder into LD_LIBRARY_PATH");
  }

  private void versions() {
    List<String> versions =
        report.libraries().stream()
            .flatMap(library -> library.version().stream())
            .map(NcclVersion::nccl)
            .distinct()
            .toList();
    if (versions.size() > 1) {
      add("several-versions", String.join(", ", versions));
    }
  }

  /**
   * Reports names in lists that match several devices: a name matches all names that begin with it
   * ({@code nccl:src/misc/utils.cc#matchIf}).
   */
  private void prefixes(Hardware hardware) {
    for (String setting : List.of("NCCL_IB_HCA", "NCCL_SOCKET_IFNAME")) {
      String value = report.settings().forModel().text(setting).orElse("");
      if (value.startsWith("=") || value.startsWith("^")) {
        continue;
      }
      for (String item : value.split(",", -1)) {
        String name = item.contains(":") ? item.substring(0, item.indexOf(':')) : item;
        List<String> more =
            hardware.nics().stream()
                .map(NicUse::name)
                .filter(nic -> nic.startsWith(name) && !nic.equals(name))
                .toList();
        if (!more.isEmpty() && hardware.nics().stream().anyMatch(n -> n.name().equals(name))) {
          add("prefix", setting, name, String.join(", ", more), value);
        }
      }
    }
  }

  private void libraries() {
    for (NcclLibrary library : report.libraries()) {
      List<String> places = library.foundIn();
      if (places.contains("/etc/ld.so.conf")
          && !places.contains("/etc/ld.so.cache")
          && !places.contains("system")) {
        add("not-in-cache", library.path());
      }
    }
  }

  private void plugin(Plugin plugin) {
    boolean unusable = plugin.state() == Plugin.State.UNUSABLE;
    if (unusable || (plugin.named() && plugin.state() == Plugin.State.NOT_FOUND)) {
      String setting = plugin.kind().setting();
      add(
          unusable ? "plugin-unusable" : "plugin-not-found",
          plugin.kind().label(),
          plugin.path().orElse(plugin.asked()),
          plugin.detail(),
          plugin.named() ? "correct " + setting : "set " + setting + "=none, or repair the plugin");
    }
  }

  private void remarks() {
    for (Diagnostic remark : report.remarks()) {
      switch (remark.code()) {
        case "no-network", "no-graph-file" -> add(remark.code(), remark);
        case "no-gpu" -> {} // reported by driver()
        default -> {
          if (remark.severity() == Severity.WARNING) {
            findings.add(new Finding(Severity.WARNING, remark.code(), remark.toString(), ""));
          }
        }
      }
    }
  }

  private void hardware(Hardware hardware) {
    prefixes(hardware);
    boolean gdr = hardware.nics().stream().anyMatch(NicUse::gdr);
    if (hardware.network().equals("IB") && !hardware.gpus().isEmpty() && !gdr) {
      add(
          "no-gpudirect-rdma",
          hardware.kernelDmaBuf() && hardware.gpuDmaBuf() != Capability.NO
              ? ", or check NCCL_DMABUF_ENABLE"
              : " (modprobe nvidia_peermem)");
    }
  }

  private void host() {
    HostFacts host = report.host();
    int gpus = report.hardware().map(hardware -> hardware.gpus().size()).orElse(0);
    boolean infiniband =
        report.hardware().filter(hardware -> hardware.network().equals("IB")).isPresent();
    long sharedMemory = host.sharedMemoryBytes().orElse(Long.MAX_VALUE);
    if (gpus > 1 && sharedMemory < ENOUGH_SHARED_MEMORY) {
      add("small-shared-memory", sharedMemory >> 20);
    }
    if (infiniband && !host.lockedMemory().isEmpty() && !host.lockedMemory().equals("unlimited")) {
      add("locked-memory", host.lockedMemory());
    }
    if (infiniband && gpus > 0 && host.iommu() && !host.iommuOption().equals("iommu=pt")) {
      add("iommu");
    }
  }
}
