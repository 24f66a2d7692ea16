package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostAddressTest {
  @Test
  void theLoopbackIsNearItself() {
    assertEquals(Optional.of("lo"), HostAddress.interfaceTo("127.0.0.2:23456"));
    assertEquals(Optional.of("lo"), HostAddress.interfaceTo("[::1]:23456"));
  }

  @Test
  void anAddressThatIsNoneHasNoInterface() {
    assertEquals(Optional.empty(), HostAddress.interfaceTo("no such host.:1"));
    assertEquals(Optional.empty(), HostAddress.interfaceTo("240.0.0.1:1"));
  }

  @Test
  void thisHostHasAnAddress() {
    assertTrue(HostAddress.find().matches("[0-9]+(\\.[0-9]+){3}"), HostAddress.find());
  }
}
