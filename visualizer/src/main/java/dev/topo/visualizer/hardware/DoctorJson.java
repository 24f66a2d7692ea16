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
import dev.topo.hw.probe.HostFacts;
import dev.topo.hw.probe.NicUse;
import dev.topo.model.io.Severity;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What was found on a machine as JSON: {@code driver}, {@code libraries[]} (path, kind, nccl, cuda,
 * foundIn[]), {@code processes[]} (process, about, link, path, nccl, cuda, why, rule, passedOver[],
 * missingSymbols[], missingLibraries[]), {@code plugins[]} (kind, asked, state, path, detail),
 * {@code settings} (files[], set[]), {@code hardware} (gpus[], network, nics[], gpuDirectRdma; null
 * where there is no /sys to look at), {@code limits} and {@code findings[]} (severity, code, text,
 * advice). What is not known is null.
 */
public final class DoctorJson {
  private record Doctor(
      Driver driver,
      List<Library> libraries,
      List<Process> processes,
      List<Plugin> plugins,
      Settings settings,
      Optional<Hardware> hardware,
      Limits limits,
      List<Finding> findings) {}

  private record Driver(
      Optional<String> version,
      Optional<String> kernelModule,
      Optional<String> cuda,
      Optional<String> cudaUnknownBecause,
      Optional<String> libcuda,
      List<String> runtimes) {}

  private record Library(
      String path,
      String kind,
      Optional<String> nccl,
      Optional<String> cuda,
      List<String> foundIn) {}

  private record Process(
      String process,
      Optional<String> about,
      String link,
      Optional<String> path,
      Optional<String> nccl,
      Optional<String> cuda,
      String reason,
      Optional<String> rule,
      List<Candidate> passedOver,
      List<String> missingSymbols,
      List<String> missingLibraries) {}

  private record Candidate(
      String path, Optional<String> nccl, Optional<String> cuda, String rule) {}

  private record Plugin(
      String kind, String asked, String state, Optional<String> path, String detail) {}

  private record Settings(List<String> files, List<Setting> set) {}

  private record Setting(
      String name,
      String value,
      String origin,
      List<String> overridden,
      boolean known,
      Optional<String> effect) {}

  private record Hardware(
      List<Gpu> gpus, Optional<String> network, List<Nic> nics, Rdma gpuDirectRdma) {}

  private record Rdma(boolean peerMemory, boolean kernelDmaBuf, String gpuDmaBuf) {}

  private record Gpu(
      int dev,
      Optional<String> busId,
      Optional<String> model,
      Optional<Integer> sm,
      Optional<String> numaId,
      boolean gdr) {}

  private record Nic(String name, int port, int speedMbps, Optional<String> numaId, boolean gdr) {}

  private record Limits(
      Optional<String> kernel,
      OptionalLong sharedMemoryBytes,
      Optional<String> lockedMemory,
      boolean iommu,
      Optional<String> iommuOption) {}

  private record Finding(Severity severity, String code, String text, Optional<String> advice) {}

  private DoctorJson() {}

  /** The report and its findings. */
  public static Answer of(DoctorReport report, List<dev.topo.hw.library.Finding> findings) {
    return Json.document(
        "doctor",
        new Doctor(
            driver(report.driver()),
            report.libraries().stream().map(DoctorJson::library).toList(),
            report.loads().stream().map(DoctorJson::process).toList(),
            report.plugins().stream()
                .map(
                    plugin ->
                        new Plugin(
                            plugin.kind().label(),
                            plugin.asked(),
                            name(plugin.state()),
                            plugin.path(),
                            plugin.detail()))
                .toList(),
            new Settings(
                report.settings().files().stream().map(ConfFile::path).toList(),
                report.settings().settings().stream().map(DoctorJson::setting).toList()),
            report.hardware().map(DoctorJson::hardware),
            limits(report.host()),
            findings.stream()
                .map(
                    one -> new Finding(one.severity(), one.code(), one.text(), known(one.advice())))
                .toList()));
  }

  private static Optional<String> known(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Driver driver(DriverFacts driver) {
    return new Driver(
        known(driver.version()),
        known(driver.flavour()),
        driver.cuda().value().map(DriverFacts::cudaText),
        known(driver.cuda().reason()),
        driver.libcuda(),
        driver.runtimes());
  }

  private static Library library(NcclLibrary library) {
    return new Library(
        library.path(),
        name(library.kind()),
        library.version().map(NcclVersion::nccl),
        library.version().flatMap(NcclVersion::cuda),
        library.foundIn());
  }

  private static Process process(NcclLoad load) {
    Optional<NcclVersion> version = load.library().flatMap(NcclLibrary::version);
    return new Process(
        load.process(),
        known(load.about()),
        name(load.link()),
        load.library().map(NcclLibrary::path),
        version.map(NcclVersion::nccl),
        version.flatMap(NcclVersion::cuda),
        load.why(),
        load.object().map(object -> name(object.hit().step().rule())),
        load.passedOver().stream()
            .map(
                one ->
                    new Candidate(
                        one.hit().path(),
                        one.version().map(NcclVersion::nccl),
                        one.version().flatMap(NcclVersion::cuda),
                        name(one.hit().step().rule())))
            .toList(),
        load.missingSymbols(),
        load.missing().stream().map(library -> library.name()).toList());
  }

  private static Setting setting(FoundSetting setting) {
    return new Setting(
        setting.name(),
        setting.value(),
        setting.origin(),
        setting.overridden(),
        setting.setting().isPresent(),
        known(setting.effect()));
  }

  private static Hardware hardware(dev.topo.hw.probe.Hardware hardware) {
    return new Hardware(
        hardware.gpus().stream().map(DoctorJson::gpu).toList(),
        known(hardware.network()),
        hardware.nics().stream().map(DoctorJson::nic).toList(),
        new Rdma(hardware.peerMemory(), hardware.kernelDmaBuf(), name(hardware.gpuDmaBuf())));
  }

  private static Gpu gpu(GpuUse gpu) {
    return new Gpu(
        gpu.dev(),
        known(gpu.busId()),
        known(gpu.model()),
        Optional.of(gpu.sm()).filter(sm -> sm != 0),
        known(gpu.numa()),
        gpu.gdr());
  }

  private static Nic nic(NicUse nic) {
    return new Nic(nic.name(), nic.port(), nic.speedMbps(), known(nic.numa()), nic.gdr());
  }

  private static Limits limits(HostFacts host) {
    return new Limits(
        known(host.kernel()),
        host.sharedMemoryBytes(),
        known(host.lockedMemory()),
        host.iommu(),
        known(host.iommuOption()));
  }
}
