package dev.topo.hw.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.MachineFormat;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphWriter;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Topology files with the PCI tree only, completed by what is assumed. */
class MachineCompleterTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** What a machine of {@code topologies} is, as far as its file does not tell it by PCI. */
  private static final Map<String, String> MACHINES = machines();

  private static Map<String, String> machines() {
    Map<String, String> machines = new LinkedHashMap<>();
    machines.put("a100-pcie-4-bridged", "gpu=a100,nvlink=pairs,net=200000");
    machines.put("dgx-2", "gpu=v100,net=100000");
    machines.put("dgx-a100", "gpu=a100,net=200000");
    machines.put("dgx-h100", "gpu=h100,nvlink=nvswitch,net=400000");
    machines.put("gb200-tray", "gpu=gb200,net=400000");
    machines.put("gh200", "gpu=gh200,net=200000,nvlink=none");
    machines.put("hgx-a100-1nic", "gpu=a100,net=200000");
    machines.put("hgx-b200", "gpu=b200,net=400000");
    machines.put("hgx-h100-32nic", "gpu=h100,net=100000");
    machines.put("hgx-h100-dualport", "gpu=h100,net=200000,ports=2");
    machines.put("hgx-h100-vm-flat", "gpu=h100,net=400000");
    machines.put("hgx-h200-4nic", "gpu=h200,net=400000");
    machines.put("l40s-4", "gpu=l40s,net=100000");
    machines.put("l40s-8-switched", "gpu=l40s,net=200000");
    machines.put("rtx3090-2-bridged", "gpu=rtx3090,nvlink=pairs");
    machines.put("rtx4090-2", "gpu=rtx4090");
    return machines;
  }

  private static XmlDocument whole(String machine) {
    return new XmlReader().read(ROOT.resolve("topologies/" + machine + ".xml"), new Inputs());
  }

  private static XmlDocument document(String text) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "machine.xml");
  }

  private static XmlDocument sparse(String machine) {
    return document(XmlWriter.write(pciOnly(whole(machine).root())));
  }

  /** A tree without what hangs on PCI devices. */
  private static XmlElement pciOnly(XmlElement element) {
    List<XmlNode> children = new ArrayList<>();
    for (XmlElement child : element.elements()) {
      if (!element.name().equals("pci") || child.name().equals("pci")) {
        children.add(pciOnly(child));
      }
    }
    return new XmlElement(element.name(), element.attributes(), children, element.location());
  }

  private static CompletedMachine completed(XmlDocument machine, String devices) {
    return new MachineCompleter(Assumption.parse(devices)).complete(machine);
  }

  private static Topology topology(XmlDocument machine) {
    return new TopologyReader().map(machine, GpuSelection.ALL, new Diagnostics());
  }

  /** The graphs of a machine as NCCL writes them, alone or with other machines. */
  private static String graphs(XmlDocument machine, boolean crossesNetwork) {
    StringBuilder text = new StringBuilder();
    for (DomainGraphs one :
        new JobEvaluator()
            .graphs(
                topology(machine), NcclSettings.DEFAULTS, crossesNetwork, NcclProfile.DEFAULT)) {
      text.append(
          GraphWriter.write(
              one.graphs(), one.domain().topology(), one.domain().profile().search().graphFormat));
    }
    return text.toString();
  }

  @Test
  void completedMachinesHaveTheGraphsOfTheWholeOnes() {
    List<String> different = new ArrayList<>();
    int compared = 0;
    for (Map.Entry<String, String> machine : MACHINES.entrySet()) {
      XmlDocument whole = whole(machine.getKey());
      CompletedMachine completed = completed(sparse(machine.getKey()), machine.getValue());
      for (boolean crossesNetwork : new boolean[] {false, true}) {
        compared++;
        if (!graphs(whole, crossesNetwork).equals(graphs(completed.document(), crossesNetwork))) {
          different.add(machine.getKey() + " " + crossesNetwork + " " + completed.assumed());
        }
      }
    }
    System.out.printf(
        "assumed %d/%d (graphs of %d machines, alone and with others)%n",
        compared - different.size(), compared, MACHINES.size());
    assertEquals(List.of(), different);
  }

  @Test
  void countsAndNamesCanBeGiven() {
    CompletedMachine completed =
        completed(sparse("dgx-h100"), "gpu=h100,gpus=2,net=100000,nics=1,nic=rdmap,gdr=0");
    Topology topology = topology(completed.document());
    String summary = MachineFormat.summary(topology);
    assertTrue(summary.contains("2 GPUs (sm 90), NVSwitch, 1 port of 12.5"), summary);
    NetNode port = topology.nets().get(0);
    assertEquals("rdmap0", port.name());
    assertEquals(12.5f, port.bwGBps());
    assertFalse(port.gdr());
    assertTrue(completed.assumed().contains("2 of 8 x H100"), completed.assumed());
    assertTrue(completed.assumed().contains("1 x net rdmap0 on 1 of 8 cards"), completed.assumed());
  }

  @Test
  void devicesThatTheFileNamesStayAsTheyAre() {
    String links = "<nvlink target=\"ffffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/>\n";
    String whole = XmlWriter.write(whole("dgx-h100"));
    assertTrue(whole.contains(links), whole);
    XmlDocument half =
        document(whole.replace(links, "").replace("guid=\"0x9403f0000300\"", "guid=\"0x77\""));
    CompletedMachine completed = completed(half, "gpu=h100,net=100000");
    assertEquals(graphs(whole("dgx-h100"), true), graphs(completed.document(), true));
    assertEquals(
        "18 NVLinks each to NVSwitches for 8 of the GPUs that the file names", completed.assumed());
  }

  private static XmlDocument without(String start, String end) {
    String whole = XmlWriter.write(whole("dgx-h100"));
    int from = whole.indexOf(start);
    int to = whole.indexOf(end, from) + end.length();
    return document(whole.substring(0, from) + whole.substring(to));
  }

  @Test
  void whatIsAssumedIsOnlyWhatTheFileDoesNotName() {
    String one = completed(without("<gpu ", "</gpu>"), "gpu=h200").assumed();
    assertTrue(one.startsWith("1 x H200 (sm 90, "), one);
    assertTrue(one.contains(" beside 7 that the file names"), one);
    CompletedMachine some = completed(whole("dgx-h100"), "gpu=b200,gpus=4");
    assertEquals("the first 4 of 8 GPUs by bus id", some.assumed());
    String summary = MachineFormat.summary(topology(some.document()));
    assertTrue(summary.startsWith("4 GPUs (sm 90)"), summary);
  }

  @Test
  void aPortThatIsAddedHasANameOfItsOwn() {
    CompletedMachine completed = completed(without("<nic>", "</nic>"), "gpu=h100,net=400000");
    assertTrue(
        completed.assumed().startsWith("1 x net mlx5_0 of 400000 Mbit/s"), completed.assumed());
    String summary = MachineFormat.summary(topology(completed.document()));
    assertTrue(summary.contains("8 ports of 50 GB/s"), summary);
  }

  @Test
  void noPortIsAskedForTwice() {
    String assumed = completed(sparse("dgx-h100"), "gpu=h100,net=400000,nics=0").assumed();
    assertTrue(assumed.endsWith("; no network port"), assumed);
  }

  /** NCCL's transport puts all functions of a card on the first. */
  @Test
  void functionsOfACardAreItsPorts() {
    CompletedMachine completed =
        completed(
            document(
                """
                <system version="1">
                  <cpu numaid="0" arch="arm64">
                    <pci busid="0000:1b:00.0" class="0x030200"/>
                    <pci busid="0000:1c:00.0" class="0x020000"/>
                    <pci busid="0000:1c:00.1" class="0x020000"/>
                    <pci busid="0000:1d:00.0" class="0x020000" vendor="0x1af4"/>
                  </cpu>
                </system>
                """),
            "gpu=l40s,net=100000");
    assertTrue(
        completed.assumed().contains("2 x net mlx5_0 to mlx5_1 on 1 card of"), completed.assumed());
    String summary = MachineFormat.summary(topology(completed.document()));
    assertTrue(summary.contains("1 GPU (sm 89), 2 ports of 12.5 GB/s"), summary);
  }
}
