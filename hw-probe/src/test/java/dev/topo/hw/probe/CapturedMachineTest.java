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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

  /**
   * NCCL's file has no such answer; where all GPUs have P2P, as their models do, the probe's
   * neither.
   */
  @ParameterizedTest
  @CsvSource({
    "cloud-vm, read=1 write=1, ''",
    "cloud-vm, read=1 write=0, p2p=\"10\" p2p=\"01\"",
    "roce-dual-port, read=1 write=1, ''",
    "roce-dual-port, read=0 write=0, p2p=\"10\" p2p=\"01\""
  })
  void theDriversAnswersAboutPeersAreWritten(String machine, String answer, String expected)
      throws IOException {
    Path folder = MachineText.expand(machine, temp.resolve("machine"));
    Path nvml = folder.resolve(MachineProbe.NVML_FILE);
    Files.writeString(
        nvml, Files.readString(nvml) + "peer 0 1 " + answer + "\npeer 1 0 " + answer + "\n");
    String xml =
        XmlWriter.write(
            MachineProbe.ofCapture(folder, new Inputs()).run(ProbeOptions.DEFAULTS).system());
    assertEquals(
        expected,
        Pattern.compile("p2p=\"[01]*\"")
            .matcher(xml)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining(" ")),
        xml);
  }

  /** Without what a capture invents. */
  private static String anonymous(String xml) {
    return xml.replaceAll("guid=\"0x[0-9a-f]{2,}\"", "guid=\"\"").replaceAll("enx[0-9a-f]+", "enx");
  }
}
