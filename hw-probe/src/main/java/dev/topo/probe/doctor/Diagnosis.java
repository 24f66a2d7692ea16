package dev.topo.probe.doctor;

import dev.topo.model.diagnostic.Diagnostic;
import dev.topo.model.diagnostic.Severity;
import dev.topo.probe.library.NcclLibrary;
import dev.topo.probe.library.NcclLink;
import dev.topo.probe.library.NcclLoad;
import dev.topo.probe.library.NcclVersion;
import dev.topo.probe.loader.MissingLibrary;
import dev.topo.probe.loader.SearchStep;
import dev.topo.probe.nvml.Capability;
import dev.topo.probe.plugin.Plugin;
import dev.topo.probe.settings.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Derives findings from a report. An error makes NCCL fail: a process does not find the library,
 * finds a damaged or too old one, has a driver that is too old for it, has no network interface for
 * the bootstrap, or reads graphs from a file that does not exist. Everything else is a warning or a
 * note.
 */
final class Diagnosis {
  /** The version whose rules this project follows. */
  private static final String RULES_OF = "2.28.9";

  /** What NCCL's user guide starts containers with ("Troubleshooting", {@code --shm-size=1g}). */
  private static final long ENOUGH_SHARED_MEMORY = 1L << 30;

  private static final int SHOWN_SYMBOLS = 3;

  private final DoctorReport report;
  private final List<Finding> findings = new ArrayList<>();

  Diagnosis(DoctorReport report) {
    this.report = report;
  }

  List<Finding> findings() {
    driver();
    report.loads().forEach(this::load);
    versions();
    libraries();
    report.plugins().forEach(this::plugin);
    findings.addAll(report.settings().problems());
    remarks();
    report.hardware().ifPresent(this::hardware);
    host();
    return findings.stream().sorted(Comparator.comparing(Finding::severity)).distinct().toList();
  }

  private void add(Severity severity, String code, String text, String advice) {
    findings.add(new Finding(severity, code, text, advice));
  }

  private void driver() {
    if (report.driver().version().isEmpty()) {
      add(
          Severity.NOTE,
          "no-driver",
          "NVIDIA's kernel driver is not loaded: NCCL does not run here",
          "fine on a machine without GPUs; in a container, start it with --gpus all");
    } else if (report.driver().cuda().value().isEmpty()) {
      add(
          Severity.WARNING,
          "driver-not-asked",
          "the driver cannot be asked: " + report.driver().cuda().reason(),
          "see whether nvidia-smi runs");
    }
  }

  private void load(NcclLoad load) {
    if (load.library().isEmpty()) {
      notFound(load);
      return;
    }
    NcclLibrary library = load.library().get();
    if (!load.missingSymbols().isEmpty()) {
      List<String> some = load.missingSymbols().stream().limit(SHOWN_SYMBOLS).toList();
      add(
          Severity.ERROR,
          "nccl-too-old",
          "%s needs %s%s, which %s does not have (undefined symbol)"
              .formatted(
                  load.process(),
                  String.join(", ", some),
                  load.missingSymbols().size() > SHOWN_SYMBOLS ? " …" : "",
                  library.path()),
          "have it load the NCCL it was built with: see which rule chose this one");
    }
    library.version().ifPresent(version -> versionOf(load, version));
    missing(load);
  }

  private void notFound(NcclLoad load) {
    if (load.link() == NcclLink.OPENED) {
      add(
          Severity.NOTE,
          "nccl-not-there",
          load.process() + " would not find libnccl.so.2: " + load.why(),
          "");
      return;
    }
    add(
        Severity.ERROR,
        "nccl-not-found",
        load.process() + " needs libnccl.so.2 and does not find it: " + load.why(),
        "install NCCL (pip: nvidia-nccl-cu12 or -cu13, Debian: libnccl2), or put its folder into LD_LIBRARY_PATH");
  }

  private void versionOf(NcclLoad load, NcclVersion version) {
    Optional<Integer> driver = report.driver().cuda().value();
    if (driver.isPresent()
        && driver.get() > 0
        && version.cudaMajor().filter(major -> major > driver.get() / 1000).isPresent()) {
      add(
          Severity.ERROR,
          "driver-too-old",
          "%s loads NCCL %s, and driver %s supports CUDA up to %s"
              .formatted(
                  load.process(),
                  version,
                  report.driver().version(),
                  DriverFacts.cudaText(driver.get())),
          "install a newer driver, or an NCCL for CUDA " + driver.get() / 1000);
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
    if (fromVariable && other.isPresent() && load.link() == NcclLink.NEEDED) {
      add(
          Severity.WARNING,
          "shadowed",
          "the environment makes %s load NCCL %s in place of %s in %s"
              .formatted(
                  load.process(),
                  version,
                  other.get().version().map(NcclVersion::toString).orElse("another"),
                  other.get().hit().path()),
          "remove the folder from LD_LIBRARY_PATH if that is not intended");
    }
    if (load.link() != NcclLink.OPENED && !version.nccl().equals(RULES_OF)) {
      add(
          Severity.NOTE,
          "other-version",
          load.process() + " runs NCCL " + version.nccl() + "; topo follows " + RULES_OF,
          "");
    }
  }

  private void missing(NcclLoad load) {
    for (MissingLibrary library : load.missing()) {
      add(
          Severity.WARNING,
          "missing-library",
          "%s needs %s%s"
              .formatted(
                  library.neededBy(),
                  library.name(),
                  library.found().isEmpty()
                      ? ", which the loader does not find"
                      : ": " + library.found().get(0).path() + " cannot be loaded"),
          library.name().startsWith("libcuda.so")
              ? "it comes with NVIDIA's driver"
              : "install it, or put its folder into LD_LIBRARY_PATH");
    }
  }

  private void versions() {
    List<String> versions =
        report.libraries().stream()
            .flatMap(library -> library.version().stream())
            .map(NcclVersion::nccl)
            .distinct()
            .toList();
    if (versions.size() > 1) {
      add(
          Severity.NOTE,
          "several-versions",
          "the machine has NCCL " + String.join(", ", versions),
          "all ranks of a job must load the same");
    }
  }

  /**
   * A name in a list matches all names that begin with it ({@code nccl:src/misc/utils.cc#matchIf}).
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
          add(
              Severity.WARNING,
              "prefix",
              setting + ": " + name + " stands for " + String.join(", ", more) + ", too",
              "write " + setting + "==" + value + " to mean just these names");
        }
      }
    }
  }

  private void libraries() {
    for (NcclLibrary library : report.libraries()) {
      boolean known =
          library.foundIn().contains("/etc/ld.so.cache") || library.foundIn().contains("system");
      if (library.foundIn().contains("/etc/ld.so.conf") && !known) {
        add(
            Severity.NOTE,
            "not-in-cache",
            library.path() + " is in a folder of /etc/ld.so.conf, but not in the loader's cache",
            "run ldconfig");
      }
    }
  }

  private void plugin(Plugin plugin) {
    boolean unusable = plugin.state() == Plugin.State.UNUSABLE;
    if (unusable || (plugin.named() && plugin.state() == Plugin.State.NOT_FOUND)) {
      add(
          Severity.WARNING,
          unusable ? "plugin-unusable" : "plugin-not-found",
          "%s plugin %s: %s; NCCL continues without it"
              .formatted(
                  plugin.kind().label(), plugin.path().orElse(plugin.asked()), plugin.detail()),
          plugin.named()
              ? "correct " + plugin.kind().setting()
              : "set " + plugin.kind().setting() + "=none, or repair the plugin");
    }
  }

  private void remarks() {
    for (Diagnostic remark : report.remarks()) {
      switch (remark.code()) {
        case "no-network" ->
            add(
                Severity.ERROR,
                remark.code(),
                remark.toString(),
                "bring an interface up, or correct NCCL_SOCKET_IFNAME, NCCL_NET or NCCL_IB_HCA");
        case "no-graph-file" ->
            add(Severity.ERROR, remark.code(), remark.toString(), "correct NCCL_GRAPH_FILE");
        case "no-gpu" -> {} // driver() says it
        default -> {
          if (remark.severity() == Diagnostic.Severity.WARNING) {
            add(Severity.WARNING, remark.code(), remark.toString(), "");
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
          Severity.WARNING,
          "no-gpudirect-rdma",
          "no NIC reaches GPU memory directly: data between nodes goes through host memory",
          hardware.kernelDmaBuf() && hardware.gpuDmaBuf() != Capability.NO
              ? "load the module nvidia_peermem, or check NCCL_DMABUF_ENABLE"
              : "load the module nvidia_peermem (modprobe nvidia_peermem)");
    }
  }

  private void host() {
    HostFacts host = report.host();
    int gpus = report.hardware().map(hardware -> hardware.gpus().size()).orElse(0);
    boolean infiniband =
        report.hardware().filter(hardware -> hardware.network().equals("IB")).isPresent();
    if (gpus > 1
        && host.sharedMemoryBytes().isPresent()
        && host.sharedMemoryBytes().getAsLong() < ENOUGH_SHARED_MEMORY) {
      add(
          Severity.WARNING,
          "small-shared-memory",
          "/dev/shm has %s MiB: NCCL may fail to create shared memory segments"
              .formatted(host.sharedMemoryBytes().getAsLong() >> 20),
          "start the container with --shm-size=1g or --ipc=host");
    }
    if (infiniband && !host.lockedMemory().isEmpty() && !host.lockedMemory().equals("unlimited")) {
      add(
          Severity.WARNING,
          "locked-memory",
          "a process may lock %s bytes: registering buffers with a NIC may fail"
              .formatted(host.lockedMemory()),
          "ulimit -l unlimited; for a container --ulimit memlock=-1");
    }
    if (infiniband && gpus > 0 && host.iommu() && !host.iommuOption().equals("iommu=pt")) {
      add(
          Severity.NOTE,
          "iommu",
          "an IOMMU is at work: traffic between GPU and NIC may take the way through the CPU",
          "on bare metal start the kernel with iommu=pt, and switch ACS off on PCIe switches");
    }
  }
}
