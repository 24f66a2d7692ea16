package dev.topo.inspect.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuMaskTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 00000001",
        "24 | 00ffffff",
        "32 | ffffffff",
        "40 | 000000ff,ffffffff",
        "96 | ffffffff,ffffffff,ffffffff"
      })
  void theFirstCpusAreAMaskOfSysfs(int cpus, String mask) {
    assertEquals(mask, CpuMask.first(cpus));
    assertEquals(cpus, CpuMask.end(mask));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"ffffff00,0000ffff,ff000000 | 96", "ff | 8", "0 | 0", "'' | 0", "',' | 0", "x | 0"})
  void theEndOfAMaskIsAfterItsHighestCpu(String mask, int end) {
    assertEquals(end, CpuMask.end(mask));
  }
}
