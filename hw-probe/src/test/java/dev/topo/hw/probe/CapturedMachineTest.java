package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.hw.fixture.MachineText;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Replays machines written from public facts. The expected files are ours, reasoned from NCCL's
 * code; {@code -Dgolden.update=true} accepts what the probe writes.
 */
class CapturedMachineTest {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "bare-metal-switched, PHYSICAL, expected.self.xml",
    "roce-dual-port, PHYSICAL, expected.self.xml",
    "roce-dual-port, MERGED, expected-merged.self.xml",
    "cloud-vm, PHYSICAL, expected.self.xml",
    "grace-hopper, PHYSICAL, expected.self.xml",
    "desktop, PHYSICAL, expected.self.xml",
  })
  void probeWritesWhatIsExpected(String machine, NicView nics, String file) throws IOException {
    Path folder = MachineText.expand(machine, temp.resolve("machine"));
    ProbeOptions options = ProbeOptions.DEFAULTS.withNics(nics);
    XmlElement system = MachineProbe.ofCapture(folder, new Inputs()).run(options).system();
    String actual = XmlWriter.write(system);

    Path expected = MachineText.folder(machine).resolve(file);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(expected, actual);
    }
    assertEquals(Files.readString(expected), actual, machine);

    Topology topology =
        new TopologyReader()
            .map(
                new XmlDocument(List.of(), system, List.of()), GpuSelection.ALL, new Diagnostics());
    assertFalse(topology.nodes().isEmpty());

    Path packed = temp.resolve("capture.tar.gz");
    MachineText.pack(MachineProbe.ofCapture(folder, new Inputs()), packed);
    try (UnpackedCapture capture = new CaptureReader().unpack(packed, new Inputs())) {
      String replayed = XmlWriter.write(capture.probe(new Inputs()).run(options).system());
      assertEquals(anonymous(actual), anonymous(replayed), "replayed from a capture");
    }
  }

  /** Without what a capture invents. */
  private static String anonymous(String xml) {
    return xml.replaceAll("guid=\"0x[0-9a-f]{2,}\"", "guid=\"\"").replaceAll("enx[0-9a-f]+", "enx");
  }
}
