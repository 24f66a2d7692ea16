package dev.topo.probe.assemble;

import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlElement;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a probe.
 *
 * @param visibleDevices the value of {@code CUDA_VISIBLE_DEVICES}, if it is set
 * @param hostHash the number of the host to write to each CPU, if any. NCCL's own is made of the
 *     host's name and the time it started, and only has to differ between hosts
 * @param meetingInterface the interface of the address in {@code NCCL_COMM_ID}, which NCCL takes
 *     before others
 * @param topologyFile the content of the file that {@code NCCL_TOPO_FILE} names, to begin with
 */
public record ProbeOptions(
    NcclSettings settings,
    Optional<String> visibleDevices,
    OptionalLong hostHash,
    NicView nics,
    Optional<String> meetingInterface,
    Optional<XmlElement> topologyFile) {
  /** No settings, all GPUs, no host hash, each port for itself. */
  public static final ProbeOptions DEFAULTS =
      new ProbeOptions(
          NcclSettings.DEFAULTS,
          Optional.empty(),
          OptionalLong.empty(),
          NicView.PHYSICAL,
          Optional.empty(),
          Optional.empty());

  public ProbeOptions withSettings(NcclSettings newSettings) {
    return new ProbeOptions(
        newSettings, visibleDevices, hostHash, nics, meetingInterface, topologyFile);
  }

  public ProbeOptions withVisibleDevices(String value) {
    return new ProbeOptions(
        settings, Optional.of(value), hostHash, nics, meetingInterface, topologyFile);
  }

  public ProbeOptions withHostHash(long hash) {
    return new ProbeOptions(
        settings, visibleDevices, OptionalLong.of(hash), nics, meetingInterface, topologyFile);
  }

  public ProbeOptions withNics(NicView view) {
    return new ProbeOptions(
        settings, visibleDevices, hostHash, view, meetingInterface, topologyFile);
  }

  public ProbeOptions withTopologyFile(XmlElement root) {
    return new ProbeOptions(
        settings, visibleDevices, hostHash, nics, meetingInterface, Optional.of(root));
  }

  public ProbeOptions withMeetingInterface(String name) {
    return new ProbeOptions(
        settings, visibleDevices, hostHash, nics, Optional.of(name), topologyFile);
  }
}
