package dev.topo.inspect.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Edits of an NVLink domain of three trays with four GPUs and four ports each. */
class HostEditsTest {
  private static final int HOSTS = 3;

  private static XmlDocument domain() {
    Path tray = Path.of(System.getProperty("topo.root"), "topologies", "gb200-tray.xml");
    return new XmlDocument(
        List.of(),
        NvlinkDomain.fuse(
            Collections.nCopies(HOSTS, new XmlReader().read(tray, new Inputs()).root())),
        List.of());
  }

  private static Topology topology(XmlDocument document) {
    return new TopologyReader().map(document, GpuSelection.ALL, new Diagnostics());
  }

  private static Topology after(String edits) {
    EditApplier applier =
        new EditApplier(
            file -> {
              throw new AssertionError(file);
            },
            HostEditsTest::topology);
    return topology(
        applier
            .apply(
                EditedMachine.of(domain(), NcclSettings.DEFAULTS), EditParser.parse(edits, "edit"))
            .machine());
  }

  /** GPUs by rank and ports by host, each as host and number. */
  private static String devices(Topology topology) {
    return topology.gpus().stream()
            .sorted(Comparator.comparingInt(GpuNode::rank))
            .map(gpu -> gpu.id().systemId() + "-" + gpu.dev())
            .collect(Collectors.joining(" "))
        + " | "
        + topology.nets().stream()
            .collect(Collectors.groupingBy(net -> net.id().systemId(), Collectors.counting()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "remove gpu:1-2; 0-0 0-1 0-2 0-3 1-0 1-1 1-3 2-0 2-1 2-2 2-3 | {0=4, 1=4, 2=4}",
        "remove gpu:2 gpu:3; 0-0 0-1 1-0 1-1 2-0 2-1 | {0=4, 1=4, 2=4}",
        "remove gpu:1-*; 0-0 0-1 0-2 0-3 1-0 1-1 1-2 1-3 | {0=4, 1=4}",
        "remove net:mlx5_0 net:2-mlx5_1; 0-0 0-1 0-2 0-3 1-0 1-1 1-2 1-3 2-0 2-1 2-2 2-3 | {0=3, 1=3, 2=2}",
        "add net:new to cpu:1-0; 0-0 0-1 0-2 0-3 1-0 1-1 1-2 1-3 2-0 2-1 2-2 2-3 | {0=4, 1=5, 2=4}",
        "add net:new to cpu:0; 0-0 0-1 0-2 0-3 1-0 1-1 1-2 1-3 2-0 2-1 2-2 2-3 | {0=5, 1=5, 2=5}",
        "add gpu:0-9 to cpu:0; 0-0 0-1 0-2 0-3 1-0 1-1 1-2 1-3 2-0 2-1 2-2 2-3 0-9 | {0=4, 1=4, 2=4}"
      })
  void areAppliedToTheHostsThatAreNamed(String edit, String devices) {
    assertEquals(devices, devices(after(edit)));
  }

  @Test
  void newPortsAreChipsOfTheirOwn() {
    Topology added = after("add net:new to cpu:0");
    assertEquals(added.nets().size(), added.nets().stream().map(NetNode::asic).distinct().count());
  }

  @Test
  void attributesAreSetWhereTheyAreNamed() {
    List<Float> speeds =
        after("net:2-mlx5_*.speed=200000").nets().stream().map(NetNode::bwGBps).toList();
    assertEquals(4, Collections.frequency(speeds, 25f));
    assertEquals(HOSTS, after("gpu:0-0.gdr=0").nHosts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "remove gpu:3-0 | gpu:3-0: the domain has no host 3, expected 0 to 2",
        "remove gpu:1-7 | the machine has no gpu:7",
        "remove gpu:7 | the machine has no gpu:7",
        "move nic:1-mlx5_0 to cpu:2-1 | cpu:2-1 is on another host, expected a part of host 1"
      })
  void sayWhatIsWrong(String edit, String message) {
    String found = assertThrows(TopologyFormatException.class, () -> after(edit)).getMessage();
    assertTrue(found.contains(message), found);
  }
}
