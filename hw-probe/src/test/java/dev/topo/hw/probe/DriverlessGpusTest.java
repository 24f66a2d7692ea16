package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DriverlessGpusTest {
  @Test
  void capabilityFollowsThePciDeviceId() {
    assertEquals(90, DriverlessGpus.sm("0x2335").orElseThrow());
    assertEquals(80, DriverlessGpus.sm("0x20b0").orElseThrow());
    assertEquals(89, DriverlessGpus.sm("0x2786").orElseThrow());
    assertEquals(70, DriverlessGpus.sm("0x1db1").orElseThrow());
    assertEquals(100, DriverlessGpus.sm("0x2901").orElseThrow());
    assertEquals(true, DriverlessGpus.sm("0x0001").isEmpty());
    assertEquals(true, DriverlessGpus.sm("").isEmpty());
  }
}
