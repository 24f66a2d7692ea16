package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BusIdsTest {
  @Test
  void busIdIsWrittenAsNcclDoes() {
    assertEquals("0000:1b:00.0", BusIds.normal("00000000:1B:00.0"));
    assertEquals("0009:01:00.0", BusIds.normal("0009:01:00.0"));
    assertEquals("10000:01:00.0", BusIds.normal("00010000:01:00.0"));
  }
}
