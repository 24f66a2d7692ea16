package dev.topo.hw.probe;

import dev.topo.hw.library.Finding;
import dev.topo.hw.library.NcclLibrary;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.library.Plugin;
import dev.topo.hw.library.SettingSources;
import dev.topo.model.io.Diagnostic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * State of a machine that affects NCCL.
 *
 * @param nccl NCCL release whose settings and plugins are known
 * @param loads library that each process would load
 * @param plugins plugins that the first process would load
 * @param hardware devices that NCCL would use; empty if the folder has no {@code /sys}
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

  /** Parts without which NCCL cannot run. */
  public enum Missing {
    /** NVIDIA's kernel driver is not loaded. */
    DRIVER,
    /** The driver is loaded, but NCCL would see no GPU. */
    GPU,
    /** No requested process finds an NCCL library or has it built in. */
    NCCL
  }

  /**
   * Missing parts. In a folder without {@code /sys}, such as a container image, only NCCL can be
   * missing: driver and devices belong to the host that will run it.
   */
  public List<Missing> missing() {
    List<Missing> missing = new ArrayList<>();
    if (hardware.isPresent() && driver.version().isEmpty()) {
      missing.add(Missing.DRIVER);
    } else if (hardware.isPresent() && hardware.get().gpus().isEmpty()) {
      missing.add(Missing.GPU);
    }
    if (loads.stream().allMatch(load -> load.library().isEmpty())) {
      missing.add(Missing.NCCL);
    }
    return missing;
  }

  public List<Finding> findings() {
    return new DoctorCheck(this).findings();
  }
}
