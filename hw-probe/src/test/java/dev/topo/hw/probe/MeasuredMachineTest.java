package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.fixture.MachineText;
import dev.topo.hw.fixture.MeasuredListing;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Replays the machines that NCCL 2.28.9 ran on (NVIDIA H200, 2026-11-20), and compares with the
 * file that NCCL dumped there.
 */
class MeasuredMachineTest {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "h200-x2, topo.xml, ",
    "h200-x2, nop2p.topo.xml, ",
    "h200-x2, noshm.topo.xml, ",
    "h200-x4, topo.xml, ",
    "h200-x4, nop2p.topo.xml, ",
    "h200-x4, noshm.topo.xml, ",
    "h200-x4, of2.topo.xml, '0,1'",
    "h200-x4, of3.topo.xml, '0,1,2'",
  })
  void probeWritesWhatNcclDumped(String machine, String dump, String visible) throws IOException {
    Path measured = ReferenceData.of("measured/" + machine);
    Path folder = MeasuredListing.expand(measured, temp.resolve("machine"));
    ProbeOptions options =
        visible == null ? ProbeOptions.DEFAULTS : ProbeOptions.DEFAULTS.withVisibleDevices(visible);
    XmlElement dumped = new XmlReader().read(measured.resolve(dump), new Inputs()).root();
    String expected = withoutHostHash(XmlWriter.write(dumped));

    assertEquals(
        expected,
        probe(MachineProbe.ofCapture(folder, new Inputs()), options),
        "from the listings");

    Path file = temp.resolve("capture.tar.gz");
    MachineText.pack(MachineProbe.ofCapture(folder, new Inputs()), file);
    try (UnpackedCapture capture = new CaptureReader().unpack(file, new Inputs())) {
      assertEquals(expected, probe(capture.probe(new Inputs()), options), "from a capture of them");
    }

    String hash = dumped.elements("cpu").get(0).attribute("host_hash").orElseThrow();
    assertEquals(
        XmlWriter.write(dumped),
        probe(MachineProbe.ofCapture(folder, new Inputs()), options)
            .replace("<cpu ", "<cpu host_hash=\"" + hash + "\" "),
        "with the host hash, byte for byte");
  }

  private static String probe(MachineProbe probe, ProbeOptions options) {
    return XmlWriter.write(probe.run(options).system());
  }

  private static String withoutHostHash(String xml) {
    return xml.replaceAll(" host_hash=\"[^\"]*\"", "");
  }
}
