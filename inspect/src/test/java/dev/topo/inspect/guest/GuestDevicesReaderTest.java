package dev.topo.inspect.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.io.TopologyFormatException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuestDevicesReaderTest {
  private static GuestDevices read(String text) {
    return GuestDevicesReader.read(text.getBytes(StandardCharsets.UTF_8), "guest");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "0000:05:00.0 0302: 10de:2330 (rev a1) | 0000:05:00.0 | GPU | 10de:2330",
        "05:00.0 0302: 10de:2330 | 0000:05:00.0 | GPU | 10de:2330",
        "00000001:00:00.0 0207: 15b3:101e | 0001:00:00.0 | NIC | 15b3:101e",
        "0000:06:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1) | 0000:06:00.0 | GPU | 10de:2330",
        "0000:07:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 [ConnectX-7] [15b3:1021] | 0000:07:00.0 | NIC | 15b3:1021",
        "0000:05:00.0 0x030200 0x10de 0x2330 | 0000:05:00.0 | GPU | 10de:2330",
        "0000:05:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1) | 0000:05:00.0 | GPU | ''",
        "0000:0d:00.0 Ethernet controller: Mellanox Technologies MT2910 | 0000:0d:00.0 | NIC | ''",
        "0000:01:00.0 Ethernet controller: Red Hat, Inc. Virtio network device | 0000:01:00.0 | OTHER | ''",
        "0000:01:00.0 0200: 1af4:1041 | 0000:01:00.0 | OTHER | 1af4:1041",
        "0000:02:00.0 0300: 1a03:2000 | 0000:02:00.0 | OTHER | 1a03:2000",
        "0000:02:00.0 VGA compatible controller: ASPEED Technology, Inc. | 0000:02:00.0 | OTHER | ''",
        "0000:00:01.0 0604: 1b36:000c | 0000:00:01.0 | BRIDGE | 1b36:000c",
        "0000:00:05.0 | 0000:00:05.0 | UNKNOWN | ''",
        "lrwxrwxrwx 1 root root 0 Nov 20 10:00 0000:00:05.0 -> ../../../devices/pci0000:00/0000:00:05.0 | 0000:00:05.0 | UNKNOWN | ''"
      })
  void linesOfListingsAreUnderstood(String line, String busId, Kind kind, String model) {
    PciFunction function = read(line + "\n").functions().get(0);
    assertEquals(busId, function.busId());
    assertEquals(kind, function.kind());
    assertEquals(model.equals("''") ? "" : model, function.model());
  }

  @Test
  void remarksAndDetailsArePassedOver() {
    GuestDevices guest =
        read("# a guest\n\n0000:05:00.0 0302: 10de:2330\n\tKernel driver in use: nvidia\n");
    assertEquals(1, guest.functions().size());
  }

  /** As two listings in one file. */
  @Test
  void aDeviceTwiceIsRefused() {
    assertEquals(
        "guest:3:1: PCI device 0000:05:00.0: is also in line 1, expected each once",
        assertThrows(
                TopologyFormatException.class,
                () ->
                    read(
                        "0000:05:00.0 0302: 10de:2330\n0000:06:00.0 0302: 10de:2330\n05:00.0 0302: 10de:2330\n"))
            .getMessage());
  }

  @Test
  void aByteOrderMarkAndLineEndsOfWindowsAreRead() {
    assertEquals(
        read("0000:05:00.0 0302: 10de:2330\n").functions(),
        read("\ufeff0000:05:00.0 0302: 10de:2330\r\n").functions());
  }

  @Test
  void aDumpTellsItsDevices() {
    GuestDevices guest =
        read(
            """
            <system version="1">
              <cpu numaid="0" arch="x86_64">
                <pci busid="0000:05:00.0" class="0x030200" vendor="0x10de" device="0x2330">
                  <gpu dev="0" sm="90"/>
                </pci>
              </cpu>
            </system>
            """);
    assertTrue(guest.dumpWithGpus().isPresent());
    assertEquals(
        new PciFunction("0000:05:00.0", Kind.GPU, "10de", "2330"), guest.functions().get(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing of this kind | guest:1:1: 'nothing of this kind': expected a line of lspci -Dn",
        "'' | guest: names no PCI device, expected the text of lspci -Dn",
        "<graphs/> | expected the dump of a topology, <system>"
      })
  void whatIsNoListingIsRefused(String text, String message) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> read(text + "\n"));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }
}
