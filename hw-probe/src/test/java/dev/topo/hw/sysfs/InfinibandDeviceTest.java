package dev.topo.hw.sysfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.fixture.MachineText;
import dev.topo.model.io.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InfinibandDeviceTest {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "800 Gb/sec (4X XDR), 800000",
    "400 Gb/sec (4X NDR), 400000",
    "200 Gb/sec (4X HDR), 200000",
    "100 Gb/sec (2X HDR), 100000",
    "100 Gb/sec (4X EDR), 100000",
    "56 Gb/sec (4X FDR), 56000",
    "40 Gb/sec (4X QDR), 40000",
    "40 Gb/sec (4X FDR10), 40000",
    "20 Gb/sec (4X DDR), 20000",
    "10 Gb/sec (4X), 10000",
    "2.5 Gb/sec (1X), 2500",
    "25 Gb/sec (1X EDR), 25000",
    "'', 0",
    "400 Gb/sec (4X ABC), 0",
  })
  void rateIsLanesTimesGeneration(String rate, int mbps) {
    assertEquals(mbps, InfinibandDevice.mbps(rate));
  }

  @Test
  void guidHasItsLowestByteFirst() {
    assertEquals(0x7766554433221100L, InfinibandDevice.guid("0011:2233:4455:6677"));
    assertEquals(0, InfinibandDevice.guid("mlx5_0"));
  }

  @Test
  void devicesComeInTheOrderOfTheirDeviceFiles() {
    Path folder = MachineText.expand("bare-metal-switched", temp);
    List<InfinibandDevice> devices = InfinibandDevice.readAll(new SysfsRoot(folder, new Inputs()));
    assertEquals(
        List.of("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_9", "mlx5_10"),
        devices.stream().map(InfinibandDevice::name).toList());
    InfinibandDevice first = devices.get(0);
    assertEquals("mlx5_core", first.driver());
    assertEquals("0000:2a:00.0", first.path().orElseThrow().place().name());
    assertEquals(
        List.of(new InfinibandDevice.Port(1, false, LinkLayer.INFINIBAND, 400_000)), first.ports());
  }

  @Test
  void deviceWithoutDeviceFileIsClosed() throws IOException {
    Path folder = MachineText.expand("grace-hopper", temp);
    Files.delete(folder.resolve("dev/infiniband/uverbs0"));
    InfinibandDevice device = InfinibandDevice.readAll(new SysfsRoot(folder, new Inputs())).get(0);
    assertEquals(Optional.empty(), device.verbsNumber());
  }
}
