package dev.topo.hw.sysfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.fixture.MachineText;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuFactsTest {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({"6, 6", "15, 15", "23, 143", "25, 175", "26, 191", "19, 79"})
  void familyIsShiftedAsNcclDoes(int linux, int nccl) {
    assertEquals(nccl, CpuFacts.ncclFamily(linux));
  }

  @Test
  void readsNodesInTheOrderOfTheirNumbers() {
    String text = "cpuinfo GenuineIntel 6 143\nnuma 10 1\nnuma 2 4\nnuma 0 3\n";
    CpuFacts cpus = CpuFacts.read(new SysfsRoot(MachineText.expandText(text, temp), new Inputs()));
    assertEquals(List.of("0", "2", "10"), List.copyOf(cpus.cpumaps().keySet()));
    assertEquals(CpuArch.X86, cpus.arch());
    assertEquals(Optional.of(new CpuFacts.Identity("GenuineIntel", 6, 143)), cpus.identity());
  }

  @Test
  void armHasNoVendor() {
    String text = "cpuinfo arm 0x41 0xd4f\n";
    CpuFacts cpus = CpuFacts.read(new SysfsRoot(MachineText.expandText(text, temp), new Inputs()));
    assertEquals(CpuArch.ARM, cpus.arch());
    assertEquals(Optional.empty(), cpus.identity());
  }

  @Test
  void nothingIsUnknown() {
    CpuFacts cpus = CpuFacts.read(new SysfsRoot(temp, new Inputs()));
    assertEquals(new CpuFacts(CpuArch.UNKNOWN, Optional.empty(), Map.of()), cpus);
  }
}
