package dev.topo.hw.probe;

import dev.topo.hw.library.Finding;
import dev.topo.hw.library.NcclLibrary;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.library.Plugin;
import dev.topo.hw.library.SettingSources;
import dev.topo.model.io.Diagnostic;
import java.util.List;
import java.util.Optional;

/**
 * The state of a machine as far as NCCL depends on it.
 *
 * @param nccl the release of NCCL whose settings and plugins are known
 * @param loads which of them each process would load
 * @param plugins the plugins that the first of these would load
 * @param hardware the devices it would use; empty where the folder has no {@code /sys}
 */
public record DoctorReport(
    String nccl,
    DriverFacts driver,
    List<NcclLibrary> libraries,
    List<NcclLoad> loads,
    List<Plugin> plugins,
    SettingSources settings,
    Optional<Hardware> hardware,
    List<Diagnostic> remarks,
    HostFacts host) {
  public DoctorReport {
    libraries = List.copyOf(libraries);
    loads = List.copyOf(loads);
    plugins = List.copyOf(plugins);
    remarks = List.copyOf(remarks);
  }

  /**
   * Whether NCCL cannot run for want of the driver, a GPU or the library. Devices count only where
   * there is a {@code /sys}: an image of a container has neither driver nor GPU.
   */
  public boolean lacksHardwareOrLibrary() {
    boolean hasNoGpu =
        hardware.isPresent() && (driver.version().isEmpty() || hardware.get().gpus().isEmpty());
    return hasNoGpu || loads.stream().noneMatch(load -> load.library().isPresent());
  }

  public List<Finding> findings() {
    return new DoctorCheck(this).findings();
  }
}
