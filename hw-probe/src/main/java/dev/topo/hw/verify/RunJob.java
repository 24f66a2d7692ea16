package dev.topo.hw.verify;

import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.UsedDevice;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobPart;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Reconstructs the job from a run: its hosts in rank order, each with the machine that it
 * announced.
 */
public final class RunJob {
  /** Length of a bus id without the function, {@code 0000:18:00}, in which all spellings agree. */
  private static final int DEVICE_LENGTH = "0000:18:00".length();

  private RunJob() {}

  /**
   * Job of a run.
   *
   * @throws SettingException if the ranks of a host are not consecutive, which is not modelled
   */
  static JobPart of(RunEvent.Started started, NcclSettings settings, NcclProfile profile) {
    return of(started, rank -> true, settings, profile);
  }

  /**
   * Job of some ranks of a run.
   *
   * @param ranks accepts these ranks
   * @throws SettingException if the ranks of a host are not consecutive, which is not modelled
   */
  static JobPart of(
      RunEvent.Started started, IntPredicate ranks, NcclSettings settings, NcclProfile profile) {
    Map<String, List<UsedDevice>> hosts = new LinkedHashMap<>();
    String last = "";
    for (UsedDevice device : started.devices()) {
      if (!ranks.test(device.rank())) {
        continue;
      }
      if (!device.host().equals(last) && hosts.containsKey(device.host())) {
        throw new SettingException(
            ("rank %s is on %s again, expected the ranks of a host to be consecutive (mpirun"
                    + " --map-by slot)")
                .formatted(device.rank(), device.host()));
      }
      hosts.computeIfAbsent(device.host(), host -> new ArrayList<>()).add(device);
      last = device.host();
    }
    int perProcess = started.devices().size() / started.announcements().size();
    List<Machine> machines = new ArrayList<>();
    for (List<UsedDevice> devices : hosts.values()) {
      int process = devices.get(0).rank() / perProcess;
      machines.add(machine(started.announcements().get(process), devices, settings, profile));
    }
    return JobPart.of(machines);
  }

  private static Machine machine(
      String announcement, List<UsedDevice> devices, NcclSettings settings, NcclProfile profile) {
    String name = devices.get(0).host() + ".xml";
    XmlElement announced =
        new XmlReader().read(announcement.getBytes(StandardCharsets.UTF_8), name).root();
    List<String> ranks = devices.stream().map(UsedDevice::busId).map(RunJob::device).toList();
    XmlElement system = ranked(announced, "", ranks);
    Topology topology =
        TopologySource.build(
            system, UnknownElements.IGNORED, GpuSelection.ALL, profile, new Diagnostics());
    return new Machine(topology, settings);
  }

  /**
   * Machine with the participating GPUs and their ranks, as in NCCL after all ranks have joined.
   */
  private static XmlElement ranked(XmlElement element, String busId, List<String> ranks) {
    String attribute = element.attribute("busid").orElse(busId);
    Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
    if (element.name().equals("gpu")) {
      attributes.put("rank", String.valueOf(ranks.indexOf(device(busId))));
    }
    return element.with(
        attributes,
        element.replaced(
            child ->
                child.name().equals("gpu") && !ranks.contains(device(attribute))
                    ? Stream.empty()
                    : Stream.of(ranked(child, attribute, ranks))));
  }

  private static String device(String busId) {
    String lower = busId.toLowerCase(Locale.ROOT);
    return lower.length() > DEVICE_LENGTH ? lower.substring(0, DEVICE_LENGTH) : lower;
  }
}
