package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.MachineText;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What identifies a machine or its owner is nowhere in a capture, wherever the probe read it. */
class CapturePrivacyTest {
  private static final String SECRETS =
      "acme-host17 10.23.45.67 fe80::1c2d:3e4f 0c:42:a1:5e:6f:70 0c42:a103:005e:6f70"
          + " 0c42a15e6f70 4C4C4544-0042-3510-8052-B4C04F4E3332";

  private static final List<String> FRAGMENTS =
      List.of("acme", "10.23", "fe80", "0c:42", "0c42", "c42a1", "5e6f70", "4c4c4544", "706f5e");

  private static final String VIRTUAL_TOPOLOGY =
      """
      <!-- acme-host17 at 10.23.45.67 -->
      <system version='1' name='acme-host17' owner="acme">
        <cpu numaid="0" host_hash="0x0c42a15e6f70" affinity="ff" arch="x86_64" vendor="acme">
          <!-- rack of acme -->
          <acme serial="0c42"/>
          <pci busid="0101:00:00.0" class="0x020000" vendor='acme' link_speed="16.0 GT/s PCIe" link_width="16">
            <nic acme="1">
              <net name='acme_rdma' dev="0" speed="200000" port="1" guid='0x706f5e03a1420c' latency="acme"/>
            </nic>
          </pci>
        </cpu>
      </system>
      <!-- acme -->
      """;

  @TempDir Path temp;

  /** The machine of a virtual machine whose names are the owner's. */
  private Path machine() throws IOException {
    String text =
        MachineText.resource("cloud-vm", "machine.txt")
            .replace("mlx5_ib0", "acme_rdma")
            .replace("0015:5dff:fe33:0001", "0c42:a103:005e:6f70")
            .replace("eth0", "acme-front0")
            .replace(" ib1 ", " ib-acme1 ")
            .replace(
                "000d3a6c-d5c8-000d-3a6c-d5c8000d3a6c", "4c4c4544-0042-3510-8052-b4c04f4e3332");
    String more =
        """
        net enx0c42a15e6f70 index=7 at=bus:usb:/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0 state=up flags=0x1003 speed=1000
        net docker-acme index=8 at=virtual state=up flags=0x1003 speed=10000
        net bond0.acme index=9 at=bus:platform:/sys/devices/platform/acme-soc/acme.0 state=up flags=0x1003 speed=10000
        addresses docker-acme inet
        addresses bond0.acme inet
        addresses tun-acme inet6
        """;
    return MachineText.expandText(text + more, temp.resolve("machine"));
  }

  private String capture(Path machine) throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    MachineText.pack(MachineProbe.ofCapture(machine, new Inputs()), file);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      in.transferTo(bytes);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
  }

  private static void assertPrivate(String capture, String where) {
    for (String fragment : FRAGMENTS) {
      int at = capture.indexOf(fragment);
      assertFalse(
          at >= 0,
          () ->
              where
                  + ": "
                  + capture.substring(Math.max(0, at - 60), Math.min(capture.length(), at + 60)));
    }
  }

  @Test
  void namesAndLinksAreReplacedAndTheAnswerStays() throws IOException {
    Path machine = machine();
    assertPrivate(capture(machine), "names");
    String before =
        XmlWriter.write(
            MachineProbe.ofCapture(machine, new Inputs()).run(ProbeOptions.DEFAULTS).system());
    assertTrue(before.contains("acme"), before);
    try (UnpackedCapture capture =
        new CaptureReader().unpack(temp.resolve("capture.tar.gz"), new Inputs())) {
      String after =
          XmlWriter.write(capture.probe(new Inputs()).run(ProbeOptions.DEFAULTS).system());
      assertEquals(withoutNames(before), withoutNames(after));
      Path again = temp.resolve("again.tar.gz");
      MachineText.pack(capture.probe(new Inputs()), again);
      assertArrayEquals(
          Files.readAllBytes(temp.resolve("capture.tar.gz")),
          Files.readAllBytes(again),
          "a capture of a capture");
    }
  }

  private static String withoutNames(String xml) {
    return xml.replaceAll("(name|guid)=\"[^\"]{4,}\"", "$1=\"\"");
  }

  @Test
  void theTopologyOfTheOperatorHasOnlyWhatNcclReads() throws IOException {
    Path machine = machine();
    Path file = machine.resolve("var/run/nvidia-topologyd/virtualTopology.xml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, VIRTUAL_TOPOLOGY);
    String capture = capture(machine);
    assertPrivate(capture, "virtualTopology.xml");
    assertTrue(capture.contains("<net name=\"device0\" dev=\"0\" speed=\"200000\" port=\"1\""));
    try (UnpackedCapture unpacked =
        new CaptureReader().unpack(temp.resolve("capture.tar.gz"), new Inputs())) {
      String after =
          XmlWriter.write(unpacked.probe(new Inputs()).run(ProbeOptions.DEFAULTS).system());
      String before =
          XmlWriter.write(
              MachineProbe.ofCapture(machine, new Inputs()).run(ProbeOptions.DEFAULTS).system());
      assertEquals(before.split("<net ", -1).length, after.split("<net ", -1).length, after);
    }
  }

  @Test
  void aTopologyThatIsNoXmlIsNotCopied() throws IOException {
    Path machine = machine();
    Path file = machine.resolve("var/run/nvidia-topologyd/virtualTopology.xml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "<system " + SECRETS);
    assertPrivate(capture(machine), "virtualTopology.xml");
  }

  /** In place of each file, after its text, before it, and in a line of its own. */
  private static final List<String> FORMS =
      List.of("%s", "%s\n", "FILE %s\n", "%s FILE", "FILE\n%s\n", "FILE\nx : %s\nuuid=%s\n");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void contentsAreNotCopied(int number) throws IOException {
    String form = FORMS.get(number);
    Path machine = machine();
    Path leftover = machine.resolve("dev/infiniband/acme");
    Files.writeString(leftover, SECRETS);
    Files.createDirectories(machine.resolve("sys/devices/system/node/acme-host17"));
    List<Path> files;
    try (Stream<Path> tree = Files.walk(machine)) {
      files =
          tree.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
              .filter(path -> !path.endsWith("nvml.txt"))
              .sorted()
              .toList();
    }
    for (Path file :
        Thorough.orEvery(
            FORMS.size(), number, files, "files of a machine for each form of secrets")) {
      String text = Files.readString(file).stripTrailing();
      Files.writeString(file, form.replace("%s", SECRETS).replace("FILE", text));
      assertPrivate(capture(machine), file.toString());
    }
    assertTrue(files.size() > 40, "the machine has files");
  }

  @Test
  void theDriversTextIsWrittenAgain() throws IOException {
    Path machine = machine();
    Files.writeString(
        machine.resolve("nvml.txt"),
        """
        driver acme-10.23.45.67
        cuda 13000
        gpu 0 bus=acme sm=90 uuid=acme-4C4C4544
        nvlink 0 0-3 p2p=1 active=1 remote=acme
        gpu 1 bus=00000000:1B:00.0 sm=90 uuid=GPU-4C4C4544-0042-3510-8052-B4C04F4E3332
        """);
    String capture = capture(machine);
    assertPrivate(capture, "nvml.txt");
    assertTrue(capture.contains("uuid=gpu-00000000-0000-0000-0000-000000000002"), "a GPU's name");
  }
}
