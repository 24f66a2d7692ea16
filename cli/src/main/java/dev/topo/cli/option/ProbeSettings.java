package dev.topo.cli.option;

import dev.topo.hw.probe.ProbeOptions;
import dev.topo.hw.run.HostAddress;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlReader;
import java.nio.file.Path;

/** Derives the options of a probe from NCCL's settings. */
public final class ProbeSettings {
  private ProbeSettings() {}

  /**
   * Options for probing this host, including the network interface that reaches NCCL_COMM_ID.
   *
   * @param inputs reads the file of NCCL_TOPO_FILE
   * @throws dev.topo.model.io.TopologyFormatException if NCCL_TOPO_FILE cannot be read
   */
  public static ProbeOptions ofThisHost(NcclSettings settings, Inputs inputs) {
    ProbeOptions options = ofCapture(settings, inputs);
    return settings
        .text("NCCL_COMM_ID")
        .flatMap(HostAddress::interfaceTo)
        .map(options::withMeetingInterface)
        .orElse(options);
  }

  /**
   * Options for examining a machine that was captured elsewhere.
   *
   * @param inputs reads the file of NCCL_TOPO_FILE
   * @throws dev.topo.model.io.TopologyFormatException if NCCL_TOPO_FILE cannot be read
   */
  public static ProbeOptions ofCapture(NcclSettings settings, Inputs inputs) {
    ProbeOptions options = ProbeOptions.DEFAULTS.withSettings(settings);
    return settings
        .text("NCCL_TOPO_FILE")
        .map(file -> options.withTopologyFile(new XmlReader().read(Path.of(file), inputs).root()))
        .orElse(options);
  }
}
