package dev.topo.hw.sysfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.MachineText;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelFactsTest {
  @TempDir Path temp;

  @Test
  void readsReleaseAndModules() {
    Path folder = MachineText.expandText("kernel 5.15.0 peermem nvidia=580.95.05", temp);
    KernelFacts kernel = KernelFacts.read(new SysfsRoot(folder, new Inputs()));
    assertEquals(new KernelFacts(5, 15, true, "580.95.05"), kernel);
    assertTrue(kernel.infinibandDmaBuf());
  }

  @Test
  void oldOrUnknownKernelHasNoDmaBuf() {
    assertFalse(KernelFacts.read(new SysfsRoot(temp, new Inputs())).infinibandDmaBuf());
    assertFalse(new KernelFacts(5, 11, false, "").infinibandDmaBuf());
    assertTrue(new KernelFacts(6, 0, false, "").infinibandDmaBuf());
  }
}
