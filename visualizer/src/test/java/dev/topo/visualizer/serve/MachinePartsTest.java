package dev.topo.visualizer.serve;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.model.Topology;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachinePartsTest {
  private static Topology topology(XmlDocument document) {
    return TopologySource.build(
        document,
        UnknownElements.REJECTED,
        GpuSelection.ALL,
        NcclProfile.DEFAULT,
        new Diagnostics());
  }

  private static int applied(String name, XmlDocument document, boolean isDomain) {
    MachineParts parts =
        new MachineParts(topology(document), document.root(), isDomain).find(node -> true);
    EditApplier applier =
        new EditApplier(
            file -> {
              throw new IllegalStateException("reads " + file);
            },
            MachinePartsTest::topology);
    int edits = 0;
    for (DrawnPart part : parts.all()) {
      for (DrawnPart.PartEdit edit : part.edits()) {
        boolean isOnlyGpu =
            edit.text().startsWith("remove gpu") && topology(document).gpus().size() == 1;
        if (!isOnlyGpu) {
          assertDoesNotThrow(
              () ->
                  applier.apply(
                      EditedMachine.of(document, NcclSettings.DEFAULTS),
                      VariantReader.edits(List.of(edit.text()), "edit ")),
              name + ": " + edit.text());
          edits++;
        }
      }
    }
    return edits;
  }

  @Test
  void everyEditThatAShippedMachineOffersCanBeApplied() {
    for (ServedMachine machine :
        Thorough.orEvery(
            5, 0, List.copyOf(new MachineShelf().all()), "machines with their edits")) {
      assertTrue(applied(machine.name(), machine.document(), false) > 3, machine.name());
    }
  }

  @Test
  void everyEditThatAnNvlinkDomainOffersCanBeApplied() {
    XmlDocument tray = new MachineShelf().get("shipped-gb200-tray").document();
    assertTrue(applied("rack", NvlinkDomain.ofEqual(tray, 2), true) > 100);
  }
}
