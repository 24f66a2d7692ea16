package dev.topo.search.topology;

import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader.SystemSource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The topology that NCCL builds from NCCL_TOPO_FILE and the detected devices: the file, with
 * detected GPUs and ports added and undetected ones removed ({@code ncclTopoGetSystem}, {@code
 * nccl:src/graph/topo.cc}, 2.19.3 and 2.28.9).
 *
 * @param system the result
 * @param machine the file of the machine
 * @param added the devices of the machine that the file lacks
 * @param removed the devices of the file that the machine lacks
 * @param isUneven whether the trees of ranks differ because the file lacks attributes, so that NCCL
 *     has elements twice; the result assumes that the file has the attributes
 */
public record DeclaredTopology(
    XmlElement system, String machine, Devices added, Devices removed, boolean isUneven) {
  /**
   * Device counts.
   *
   * @param ports network ports, which NCCL calls NICs
   */
  public record Devices(int gpus, int ports) {
    private String text(boolean withPorts) {
      return Stream.of(text(gpus, "GPU"), withPorts ? text(ports, "NIC") : "")
          .filter(text -> !text.isEmpty())
          .collect(Collectors.joining(" and "));
    }

    private static String text(int count, String what) {
      return count == 0 ? "" : QuantityFormat.count(count, what);
    }
  }

  /**
   * Applies a file to a machine.
   *
   * @param file the {@code <system>} element of the file
   * @param machine the devices that NCCL would detect
   * @param selection the GPUs of the machine that take part
   * @throws UnusableTopologyException if the machine has several hosts
   */
  public static DeclaredTopology of(XmlElement file, XmlElement machine, GpuSelection selection) {
    if (NvlinkDomain.hasSeveralHosts(machine)) {
      throw UnusableTopologyException.withoutRules(
          "NCCL_TOPO_FILE on hosts that NVLink joins is not modelled: expected a machine of one host");
    }
    return new DeviceDetection(file, machine, selection).detect();
  }

  /** Applies a file to a machine with the GPUs that take part. */
  public static DeclaredTopology of(XmlElement file, Topology machine) {
    SystemSource source = source(machine);
    return of(file, source.system(), source.selection());
  }

  /** Applies the file of a topology to a machine with the GPUs that take part. */
  public static DeclaredTopology of(Topology file, Topology machine) {
    return of(source(file).system(), machine);
  }

  private static SystemSource source(Topology topology) {
    return topology
        .source()
        .filter(SystemSource.class::isInstance)
        .map(SystemSource.class::cast)
        .orElseThrow(() -> new IllegalArgumentException("a machine that is in no file"));
  }

  /**
   * The topology, with all its GPUs.
   *
   * @throws dev.topo.model.io.TopologyFormatException if NCCL could not use it
   */
  public Topology topology(NcclProfile profile) {
    return TopologySource.build(
        system, UnknownElements.REJECTED, GpuSelection.ALL, profile, new Diagnostics());
  }

  /**
   * Notes for the user on differences between the devices of the file and of the machine.
   *
   * @param withPorts whether the job uses ports
   */
  public List<String> notes(boolean withPorts) {
    String file = system.location().file();
    List<String> notes = new ArrayList<>();
    String more = added.text(withPorts);
    if (!more.isEmpty()) {
      notes.add("NCCL adds what it detects: %s of %s that %s lacks".formatted(more, machine, file));
    }
    String fewer = removed.text(withPorts);
    if (!fewer.isEmpty()) {
      notes.add(
          "NCCL removes what it does not detect: %s of %s that %s lacks"
              .formatted(fewer, file, machine));
    }
    if (isUneven) {
      notes.add(
          "%s lacks attributes, which NCCL 2.21 and newer then has twice (topo lint: unequal-when-fused); %s answers as if it had them"
              .formatted(file, MachineName.of(Path.of(machine))));
    }
    return notes;
  }
}
