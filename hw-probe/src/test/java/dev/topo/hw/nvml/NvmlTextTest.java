package dev.topo.hw.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvmlTextTest {
  private static final String TEXT =
      """
      driver 580.95.05
      cuda 13000
      gpu 0 bus=00000000:1B:00.0 sm=90 gdr=yes dmabuf=unknown mig=1 uuid=GPU-1
      nvlink 0 0-4 p2p=1 active=1 remote=0000:07:00.0
      nvlink 0 6-7 p2p=1 active=1 remote=0000:07:00.0
      nvlink 0 8 p2p=0 active=0
      c2c 0 0-9 active=1 bw=44712
      gpu 3 bus=00000000:43:00.0 sm=90 gdr=no dmabuf=no mig=0
      peer 0 3 read=1 write=0
      """;

  @Test
  void isWrittenAsItIsRead() {
    NvmlSnapshot snapshot = NvmlText.parse(TEXT);
    assertEquals(TEXT, NvmlText.write(snapshot));
    assertEquals(8, snapshot.devices().get(0).nvlinks().size());
    assertEquals(10, snapshot.devices().get(0).c2cLinks().size());
    assertEquals(3, snapshot.devices().get(1).index());
  }

  @ParameterizedTest
  @CsvSource({
    "gpu x bus=1 sm=90, nvml.txt:1: 'x'",
    "gpu 0 sm=90, no bus",
    "gpu 0 bus=1 sm=90 gdr=perhaps, gdr=perhaps",
    "nvlink 0 0-3 p2p=1, a line 'gpu 0",
    "disk 0, 'disk'",
    "driver, more words",
    "peer 0 1 read, name=value",
  })
  void mistakeIsNamedWithItsLine(String text, String expected) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> NvmlText.parse(text));
    assertTrue(error.getMessage().contains(expected), error.getMessage());
  }

  @Test
  void hugeRangeIsRefused() {
    String text = "gpu 0 bus=1 sm=90\nnvlink 0 0-9999 p2p=1 active=1\n";
    assertThrows(IllegalArgumentException.class, () -> NvmlText.parse(text));
  }
}
