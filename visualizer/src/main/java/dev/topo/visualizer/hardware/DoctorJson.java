package dev.topo.visualizer.hardware;

import dev.topo.hw.library.ConfFile;
import dev.topo.hw.library.Finding;
import dev.topo.hw.library.FoundSetting;
import dev.topo.hw.library.NcclLibrary;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.library.NcclVersion;
import dev.topo.hw.library.Plugin;
import dev.topo.hw.library.SettingSources;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.hw.probe.DriverFacts;
import dev.topo.hw.probe.GpuUse;
import dev.topo.hw.probe.Hardware;
import dev.topo.hw.probe.HostFacts;
import dev.topo.hw.probe.NicUse;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The findings on a machine as JSON: {@code driver}, {@code libraries[]} (path, kind, nccl, cuda,
 * foundIn[]), {@code processes[]} (process, about, link, path, nccl, cuda, reason, rule,
 * passedOver[], missingSymbols[], missingLibraries[]), {@code plugins[]} (kind, asked, state, path,
 * detail), {@code settings} (files[], set[]), {@code hardware} (gpus[], network, nics[],
 * gpuDirectRdma; null if there is no /sys to examine), {@code limits} and {@code findings[]}
 * (severity, code, text, advice). Unknown values are null.
 */
final class DoctorJson {
  private static final Fields<NcclVersion> VERSION =
      Fields.of(NcclVersion.class).components("nccl", "cuda");

  private static final Fields<DriverFacts> DRIVER =
      Fields.of(DriverFacts.class)
          .text("version", DriverFacts::version)
          .text("kernelModule", DriverFacts::flavour)
          .field("cuda", driver -> driver.cuda().value().map(DriverFacts::cudaText))
          .text("cudaUnknownBecause", driver -> driver.cuda().reason())
          .components("libcuda", "runtimes");

  private static final Fields<NcclLibrary> LIBRARY =
      Fields.of(NcclLibrary.class)
          .components("path")
          .field("kind", library -> name(library.kind()))
          .includingOptional(NcclLibrary::version, VERSION)
          .components("foundIn");

  private static final Fields<NcclLoad.Candidate> CANDIDATE =
      Fields.of(NcclLoad.Candidate.class)
          .field("path", candidate -> candidate.hit().path())
          .includingOptional(NcclLoad.Candidate::version, VERSION)
          .field("rule", candidate -> name(candidate.hit().step().rule()));

  private static final Fields<NcclLoad> PROCESS =
      Fields.of(NcclLoad.class)
          .components("process")
          .text("about", NcclLoad::about)
          .field("link", load -> name(load.link()))
          .field("path", load -> load.library().map(NcclLibrary::path))
          .includingOptional(load -> load.library().flatMap(NcclLibrary::version), VERSION)
          .field("reason", NcclLoad::why)
          .field("rule", load -> load.object().map(object -> name(object.hit().step().rule())))
          .list("passedOver", NcclLoad::passedOver, CANDIDATE)
          .components("missingSymbols")
          .field(
              "missingLibraries",
              load -> load.missing().stream().map(library -> library.name()).toList());

  private static final Fields<Plugin> PLUGIN =
      Fields.of(Plugin.class)
          .field("kind", plugin -> plugin.kind().label())
          .components("asked")
          .field("state", plugin -> name(plugin.state()))
          .components("path", "detail");

  private static final Fields<FoundSetting> SETTING =
      Fields.of(FoundSetting.class)
          .components("name", "value", "origin", "overridden")
          .field("known", setting -> setting.setting().isPresent())
          .text("effect", FoundSetting::effect);

  private static final Fields<SettingSources> SETTINGS =
      Fields.of(SettingSources.class)
          .field("files", settings -> settings.files().stream().map(ConfFile::path).toList())
          .list("set", SettingSources::settings, SETTING);

  private static final Fields<GpuUse> GPU =
      Fields.of(GpuUse.class)
          .components("dev")
          .text("busId", GpuUse::busId)
          .text("model", GpuUse::model)
          .field("sm", gpu -> Optional.of(gpu.sm()).filter(sm -> sm != 0))
          .text("numaId", GpuUse::numa)
          .components("gdr");

  private static final Fields<NicUse> NIC =
      Fields.of(NicUse.class)
          .components("name", "port", "speedMbps")
          .text("numaId", NicUse::numa)
          .components("gdr");

  private static final Fields<Hardware> RDMA =
      Fields.of(Hardware.class)
          .components("peerMemory", "kernelDmaBuf")
          .field("gpuDmaBuf", hardware -> name(hardware.gpuDmaBuf()));

  private static final Fields<Hardware> HARDWARE =
      Fields.of(Hardware.class)
          .list("gpus", Hardware::gpus, GPU)
          .text("network", Hardware::network)
          .list("nics", Hardware::nics, NIC)
          .object("gpuDirectRdma", hardware -> hardware, RDMA);

  private static final Fields<HostFacts> LIMITS =
      Fields.of(HostFacts.class)
          .text("kernel", HostFacts::kernel)
          .components("sharedMemoryBytes")
          .text("lockedMemory", HostFacts::lockedMemory)
          .components("iommu")
          .text("iommuOption", HostFacts::iommuOption);

  private static final Fields<Finding> FINDING =
      Fields.of(Finding.class)
          .components("severity", "code", "text")
          .text("advice", Finding::advice);

  private DoctorJson() {}

  /** Returns the document with the report and its findings. */
  static Answer of(DoctorReport report, List<Finding> findings) {
    return Json.document(
        "doctor",
        Fields.of(DoctorReport.class)
            .object("driver", DoctorReport::driver, DRIVER)
            .list("libraries", DoctorReport::libraries, LIBRARY)
            .list("processes", DoctorReport::loads, PROCESS)
            .list("plugins", DoctorReport::plugins, PLUGIN)
            .object("settings", DoctorReport::settings, SETTINGS)
            .field("hardware", doctor -> doctor.hardware().map(HARDWARE::json))
            .object("limits", DoctorReport::host, LIMITS)
            .list("findings", doctor -> findings, FINDING),
        report);
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
