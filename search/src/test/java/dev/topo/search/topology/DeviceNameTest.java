package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.DeviceName;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceNameTest {
  private static Topology topology(int hosts) throws IOException {
    XmlElement tray =
        new XmlReader()
            .read(ShippedMachines.files().get(0).resolveSibling("gb200-tray.xml"), new Inputs())
            .root();
    XmlElement system = hosts == 1 ? tray : NvlinkDomain.fuse(Collections.nCopies(hosts, tray));
    return new TopologyReader()
        .map(new XmlDocument(List.of(), system, List.of()), GpuSelection.ALL, new Diagnostics());
  }

  @Test
  void theHostComesFirstWhereThereAreSeveral() throws IOException {
    Topology tray = topology(1);
    DeviceName onTray = new DeviceName(tray);
    assertEquals("GPU 3", onTray.of(tray.gpus().get(3)));
    assertEquals("mlx5_3", onTray.of(tray.nets().get(3)));
    Topology rack = topology(2);
    DeviceName inRack = new DeviceName(rack);
    assertEquals("GPU 1-3", inRack.of(rack.gpus().get(7)));
    assertEquals("1-3", inRack.number(rack.gpus().get(7)));
    assertEquals("1-mlx5_3", inRack.of(rack.nets().get(7)));
    assertEquals("CPU 1-0", inRack.of(rack.cpus().get(2)));
  }
}
