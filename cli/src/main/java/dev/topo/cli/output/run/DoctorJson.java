package dev.topo.cli.output.run;

import dev.topo.cli.output.Json;
import dev.topo.probe.doctor.DoctorReport;
import dev.topo.probe.doctor.DriverFacts;
import dev.topo.probe.doctor.GpuUse;
import dev.topo.probe.doctor.Hardware;
import dev.topo.probe.doctor.HostFacts;
import dev.topo.probe.doctor.NicUse;
import dev.topo.probe.library.NcclLibrary;
import dev.topo.probe.library.NcclLoad;
import dev.topo.probe.library.NcclVersion;
import dev.topo.probe.observation.Finding;
import dev.topo.probe.plugin.Plugin;
import dev.topo.probe.settings.ConfFile;
import dev.topo.probe.settings.FoundSetting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What was found on a machine as JSON: {@code driver}, {@code libraries[]} (path, kind, nccl, cuda,
 * foundIn[]), {@code processes[]} (process, about, link, path, nccl, cuda, why, rule, passedOver[],
 * missingSymbols[], missingLibraries[]), {@code plugins[]} (kind, asked, state, path, detail),
 * {@code settings} (files[], set[]), {@code hardware} (gpus[], network, nics[], gpuDirectRdma; null
 * where there is no /sys to look at), {@code limits} and {@code findings[]} (severity, code, text,
 * advice). What is not known is null.
 */
public final class DoctorJson {
  private DoctorJson() {}

  /** The text. */
  public static String of(DoctorReport report, List<Finding> findings) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("driver", driver(report.driver()));
    tree.put("libraries", report.libraries().stream().map(DoctorJson::library).toList());
    tree.put("processes", report.loads().stream().map(DoctorJson::load).toList());
    tree.put("plugins", report.plugins().stream().map(DoctorJson::plugin).toList());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("files", report.settings().files().stream().map(ConfFile::path).toList());
    settings.put("set", report.settings().settings().stream().map(DoctorJson::setting).toList());
    tree.put("settings", settings);
    tree.put("hardware", orNull(report.hardware().map(DoctorJson::hardware)));
    tree.put("limits", limits(report.host()));
    tree.put("findings", findings.stream().map(DoctorJson::finding).toList());
    return Json.write(tree);
  }

  private static Object orNull(Optional<?> value) {
    return value.isPresent() ? value.get() : Json.NULL;
  }

  private static Object orNull(String text) {
    return text.isEmpty() ? Json.NULL : text;
  }

  private static Map<String, Object> driver(DriverFacts driver) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("version", orNull(driver.version()));
    entry.put("kernelModule", orNull(driver.flavour()));
    entry.put("cuda", orNull(driver.cuda().value().map(DriverFacts::cudaText)));
    entry.put("cudaUnknownBecause", orNull(driver.cuda().reason()));
    entry.put("libcuda", orNull(driver.libcuda()));
    entry.put("runtimes", driver.runtimes());
    return entry;
  }

  private static void version(Map<String, Object> entry, Optional<NcclVersion> version) {
    entry.put("nccl", orNull(version.map(NcclVersion::nccl)));
    entry.put("cuda", orNull(version.flatMap(NcclVersion::cuda)));
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> library(NcclLibrary library) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("path", library.path());
    entry.put("kind", name(library.kind()));
    version(entry, library.version());
    entry.put("foundIn", library.foundIn());
    return entry;
  }

  private static Map<String, Object> load(NcclLoad load) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("process", load.process());
    entry.put("about", orNull(load.about()));
    entry.put("link", name(load.link()));
    entry.put("path", orNull(load.library().map(NcclLibrary::path)));
    version(entry, load.library().flatMap(NcclLibrary::version));
    entry.put("why", load.why());
    entry.put("rule", orNull(load.object().map(object -> name(object.hit().step().rule()))));
    entry.put("passedOver", load.passedOver().stream().map(DoctorJson::candidate).toList());
    entry.put("missingSymbols", load.missingSymbols());
    entry.put("missingLibraries", load.missing().stream().map(library -> library.name()).toList());
    return entry;
  }

  private static Map<String, Object> candidate(NcclLoad.Candidate candidate) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("path", candidate.hit().path());
    version(entry, candidate.version());
    entry.put("rule", name(candidate.hit().step().rule()));
    return entry;
  }

  private static Map<String, Object> plugin(Plugin plugin) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("kind", plugin.kind().label());
    entry.put("asked", plugin.asked());
    entry.put("state", name(plugin.state()));
    entry.put("path", orNull(plugin.path()));
    entry.put("detail", plugin.detail());
    return entry;
  }

  private static Map<String, Object> setting(FoundSetting setting) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", setting.name());
    entry.put("value", setting.value());
    entry.put("origin", setting.origin());
    entry.put("overridden", setting.overridden());
    entry.put("known", setting.setting().isPresent());
    entry.put("effect", orNull(setting.effect()));
    return entry;
  }

  private static Map<String, Object> hardware(Hardware hardware) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("gpus", hardware.gpus().stream().map(DoctorJson::gpu).toList());
    entry.put("network", orNull(hardware.network()));
    entry.put("nics", hardware.nics().stream().map(DoctorJson::nic).toList());
    Map<String, Object> rdma = new LinkedHashMap<>();
    rdma.put("peerMemory", hardware.peerMemory());
    rdma.put("kernelDmaBuf", hardware.kernelDmaBuf());
    rdma.put("gpuDmaBuf", name(hardware.gpuDmaBuf()));
    entry.put("gpuDirectRdma", rdma);
    return entry;
  }

  private static Map<String, Object> gpu(GpuUse gpu) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("dev", gpu.dev());
    entry.put("busId", orNull(gpu.busId()));
    entry.put("model", orNull(gpu.model()));
    entry.put("sm", gpu.sm() == 0 ? Json.NULL : gpu.sm());
    entry.put("numaId", orNull(gpu.numa()));
    entry.put("gdr", gpu.gdr());
    return entry;
  }

  private static Map<String, Object> nic(NicUse nic) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", nic.name());
    entry.put("port", nic.port());
    entry.put("speedMbps", nic.speedMbps());
    entry.put("numaId", orNull(nic.numa()));
    entry.put("gdr", nic.gdr());
    return entry;
  }

  private static Map<String, Object> limits(HostFacts host) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("kernel", orNull(host.kernel()));
    entry.put(
        "sharedMemoryBytes",
        host.sharedMemoryBytes().isPresent() ? host.sharedMemoryBytes().getAsLong() : Json.NULL);
    entry.put("lockedMemory", orNull(host.lockedMemory()));
    entry.put("iommu", host.iommu());
    entry.put("iommuOption", orNull(host.iommuOption()));
    return entry;
  }

  private static Map<String, Object> finding(Finding finding) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("severity", finding.severity().label());
    entry.put("code", finding.code());
    entry.put("text", finding.text());
    entry.put("advice", orNull(finding.advice()));
    return entry;
  }
}
