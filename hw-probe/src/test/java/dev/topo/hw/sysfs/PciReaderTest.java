package dev.topo.hw.sysfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.hw.fixture.MachineText;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PciReaderTest {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "32.0 GT/s PCIe, 16.0 GT/s PCIe, 16.0 GT/s PCIe",
    "16.0 GT/s PCIe, 32.0 GT/s PCIe, 16.0 GT/s PCIe",
    "8 GT/s, 8.0 GT/s PCIe, 8 GT/s",
    "32.0 GT/s PCIe, '', 32.0 GT/s PCIe",
    "'', 16.0 GT/s PCIe, 16.0 GT/s PCIe",
    "Unknown, Unknown speed, Unknown",
    "'', '', ''",
  })
  void linkSpeedIsTheSlowerOfDeviceAndPort(String device, String port, String expected) {
    assertEquals(expected, PciReader.slower(device, port));
  }

  @Test
  void linkWidthWithoutNumberIsZero() {
    assertEquals(16, PciReader.width("16"));
    assertEquals(0, PciReader.width(""));
    assertEquals(0, PciReader.width("Unknown"));
  }

  @Test
  void deviceGoesUnderTheBridgeTwoLevelsUp() {
    PciPath nic =
        new PciPath("/sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/0000:18:00.0");
    assertEquals(Optional.of("0000:16:00.0"), nic.upstream());
    PciPath bridge = new PciPath("/sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0");
    assertEquals(Optional.empty(), bridge.upstream());
    assertEquals(Optional.empty(), new PciPath("/sys/devices/pci0000:00/0000:00:06.0").upstream());
  }

  /** Only a capture that was changed has such links. */
  @Test
  void aDeviceAboveItselfIsRefused() throws IOException {
    String below = "devices/pci0000:00/0000:10:00.0/0000:11:00.0/0000:12:00.0";
    String above = "devices/pci0000:00/0000:12:00.0/0000:11:00.0/0000:10:00.0";
    Path links = Files.createDirectories(temp.resolve("sys/bus/pci/devices"));
    for (String place : List.of(below, above)) {
      Files.createDirectories(temp.resolve("sys").resolve(place));
      Files.createSymbolicLink(
          links.resolve(place.substring(place.length() - 12)), Path.of("../../..", place));
    }
    PciReader reader = new PciReader(new SysfsRoot(temp, new Inputs()));
    assertEquals(
        "/sys/bus/pci/devices/0000:12:00.0: is /sys/"
            + below
            + ", expected a PCI device that is not above itself",
        assertThrows(
                TopologyFormatException.class,
                () -> reader.readWithUpstream(List.of("0000:12:00.0")))
            .getMessage());
  }

  @Test
  void infinibandPlaceIsTheFirstFunction() {
    PciPath place = new PciPath("/sys/devices/pci0000:80/0000:80:01.1/0000:81:02.3");
    assertEquals("0000:81:00.0", place.firstFunction(true).name());
    assertEquals("0000:81:02.0", place.firstFunction(false).name());
  }

  @Test
  void readsDevicesWithAllBridgesAndSwitchLinks() {
    Path folder = MachineText.expand("bare-metal-switched", temp);
    PciReader reader = new PciReader(new SysfsRoot(folder, new Inputs()));
    assertEquals(
        Set.of("0000:1b:00.0", "0000:16:00.0"),
        reader.readWithUpstream(List.of("0000:1B:00.0")).keySet());
    PciDevice bridge = reader.read("0000:16:00.0").orElseThrow();
    assertEquals(List.of("0000:98:00.0"), bridge.peerSwitches());
    assertEquals("0", bridge.numaNode());
    assertEquals(Optional.empty(), reader.read("fffffff:ff:ff.0"));
    assertEquals(Optional.empty(), reader.read("0000:ff:00.0"));
  }
}
