package dev.topo.hw.sysfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.MachineText;
import dev.topo.hw.sysfs.InterfaceAddresses.AddressFamily;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkInterfaceTest {
  @TempDir Path temp;

  @Test
  void readsStateSpeedBusAndAddresses() {
    Path folder = MachineText.expand("desktop", temp);
    SysfsRoot root = new SysfsRoot(folder, new Inputs());
    InterfaceAddresses addresses =
        InterfaceAddresses.parse(root.read("/interfaces.txt").orElseThrow());
    Map<String, NetworkInterface> cards =
        NetworkInterface.readAll(root, addresses).stream()
            .collect(Collectors.toMap(NetworkInterface::name, Function.identity()));
    assertTrue(cards.get("lo").running());
    assertFalse(cards.get("virbr0").running());
    assertEquals(2_500, cards.get("enp4s0").speedMbps());
    assertEquals(0, cards.get("wlp5s0").speedMbps());
    assertTrue(cards.get("wlp5s0").path().orElseThrow().isPci());
    assertEquals("usb", cards.get("enx00e04c680123").path().orElseThrow().subsystem());
    assertEquals(Optional.empty(), cards.get("docker0").path());
    assertEquals(Set.of(AddressFamily.INET6), cards.get("enx00e04c680123").families());
  }

  @Test
  void speedIsTheNumberAtTheBeginning() {
    assertEquals(-1, NetworkInterface.speed("-1\n"));
    assertEquals(100_000, NetworkInterface.speed("100000\n"));
    assertEquals(0, NetworkInterface.speed("unknown\n"));
  }

  @Test
  void addressesAreWrittenAsTheyAreRead() {
    String text = "docker0\neth0 inet inet6\nlo inet\n";
    assertEquals(text, InterfaceAddresses.parse(text).toText());
    assertEquals(Set.of(AddressFamily.INET), InterfaceAddresses.UNKNOWN.of("eth0"));
  }
}
