package dev.topo.hw.probe;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.Optional;

/**
 * Options of a probe.
 *
 * @param visibleDevices value of {@code CUDA_VISIBLE_DEVICES}, if it is set
 * @param meetingInterface interface of the address in {@code NCCL_COMM_ID}, which NCCL prefers
 * @param topologyFile content of the file that {@code NCCL_TOPO_FILE} names: NCCL starts from it
 */
public record ProbeOptions(
    NcclSettings settings,
    Optional<String> visibleDevices,
    NicView nics,
    Optional<String> meetingInterface,
    Optional<XmlElement> topologyFile) {
  /** No settings, all GPUs, separate ports. */
  public static final ProbeOptions DEFAULTS =
      new ProbeOptions(
          NcclSettings.DEFAULTS,
          Optional.empty(),
          NicView.PHYSICAL,
          Optional.empty(),
          Optional.empty());

  public ProbeOptions withSettings(NcclSettings newSettings) {
    return new ProbeOptions(newSettings, visibleDevices, nics, meetingInterface, topologyFile);
  }

  public ProbeOptions withVisibleDevices(String value) {
    return new ProbeOptions(settings, Optional.of(value), nics, meetingInterface, topologyFile);
  }

  public ProbeOptions withNics(NicView view) {
    return new ProbeOptions(settings, visibleDevices, view, meetingInterface, topologyFile);
  }

  public ProbeOptions withTopologyFile(XmlElement root) {
    return new ProbeOptions(settings, visibleDevices, nics, meetingInterface, Optional.of(root));
  }

  public ProbeOptions withMeetingInterface(String name) {
    return new ProbeOptions(settings, visibleDevices, nics, Optional.of(name), topologyFile);
  }
}
