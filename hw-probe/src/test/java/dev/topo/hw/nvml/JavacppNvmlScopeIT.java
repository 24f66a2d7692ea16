package dev.topo.hw.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.MachineText;
import dev.topo.hw.probe.BusIds;
import dev.topo.hw.probe.CaptureReader;
import dev.topo.hw.probe.MachineProbe;
import dev.topo.hw.probe.ProbeOptions;
import dev.topo.hw.probe.UnpackedCapture;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a machine with NVIDIA's driver; {@code mvn -pl hw-probe -am test -Dtest='*IT'}. */
class JavacppNvmlScopeIT {
  @TempDir Path temp;

  private Observation<NvmlSnapshot> observed = Observation.absent("not asked");

  @BeforeEach
  void ask() {
    observed = new JavacppNvmlScope().observe();
    NotRun.unless(observed.value().isPresent(), "NVML of this machine (" + observed.reason() + ")");
  }

  @Test
  void devicesHaveIndexesBusIdsAndCapabilities() {
    NvmlSnapshot snapshot = observed.value().orElseThrow();
    assertTrue(snapshot.cudaVersion() >= 11_000);
    for (int i = 0; i < snapshot.devices().size(); i++) {
      NvmlDevice device = snapshot.devices().get(i);
      assertEquals(i, device.index());
      assertTrue(device.sm() >= 50 && device.sm() < 200);
      assertTrue(
          BusIds.normal(device.busId()).matches("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.0"));
    }
    int n = snapshot.devices().size();
    assertEquals(n * (n - 1), snapshot.peers().size());
    assertEquals(snapshot, NvmlText.parse(NvmlText.write(snapshot)));
  }

  @Test
  void captureReplaysAsTheMachine() throws IOException {
    MachineProbe probe = MachineProbe.ofThisMachine(new Inputs());
    Path file = temp.resolve("capture.tar.gz");
    MachineText.pack(probe, file);
    try (UnpackedCapture capture = new CaptureReader().unpack(file, new Inputs())) {
      assertEquals(
          XmlWriter.write(probe.run(ProbeOptions.DEFAULTS).system()),
          XmlWriter.write(capture.probe(new Inputs()).run(ProbeOptions.DEFAULTS).system()));
    }
  }
}
