package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code topo probe} on a machine with four H200 that was captured, and on this one. */
class ProbeCommandTest {
  private static final Path REAL =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured/h200-x4-probe");
  private static final String CAPTURE = REAL.resolve("machine.tar.gz").toString();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"all,", "visible-1-0,'1,0'", "visible-2-0-3,'2,0,3'"})
  void theCaptureGivesWhatNcclDumpedThere(String dump, String visible) throws IOException {
    List<String> args = new ArrayList<>(List.of("probe", "--sysfs-root", CAPTURE));
    if (visible != null) {
      args.addAll(List.of("--visible-devices", visible));
    }
    CliRun run = CliRun.of(args.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.err());
    String nccl = Files.readString(REAL.resolve(dump + ".topo.xml"));
    assertEquals(nccl.replaceAll(" host_hash=\"[^\"]*\"", ""), run.out());
    System.out.println("probe of h200-x4 " + dump + ", dump of real NCCL 1/1");
  }

  @Test
  void releasesThatDetectOtherwiseAreMarked() {
    String[] probe = {"probe", "--sysfs-root", CAPTURE};
    String plain = CliRun.of(probe).out();
    assertEquals(plain, CliRun.of(probe[0], probe[1], probe[2], "--nccl=2.29.3").out());
    String newest = CliRun.of(probe[0], probe[1], probe[2], "--nccl=2.30.7").out();
    assertTrue(newest.contains("<!-- caveat: detection: NCCL 2.30.7 (net.net, "), newest);
    assertTrue(newest.contains("pci.link_speed"), newest);
  }

  /** Whatever it has: CI has no GPU, a developer may have some. */
  @Test
  void thisMachineHasATopology() throws IOException {
    CliRun run = CliRun.of("probe");
    boolean isMissing = run.err().contains("driver");
    assertEquals(isMissing ? 4 : 0, run.status(), run.err());
    if (isMissing) {
      Path file = folder.resolve("system.xml");
      CliRun strict = CliRun.of("probe", "--strict", "-o", file.toString());
      assertEquals(4, strict.status(), strict.err());
      assertEquals(run.out(), Files.readString(file));
      assertTrue(CliRun.of("lint", file.toString()).out().contains("[no-gpu]"));
      assertEquals(1, CliRun.of("lint", "--strict", file.toString()).status());
    }
    assertTrue(run.out().startsWith("<system version=\"1\">\n  <cpu "), run.out());
    assertFalse(run.err().contains("bug"), run.err());
  }

  @Test
  void visibleDevicesOfTheProcessCountHereButNotForACapture() {
    Map<String, String> none = Map.of("CUDA_VISIBLE_DEVICES", "");
    assertFalse(CliRun.withEnvironment(none, "probe").out().contains("<gpu"));
    assertEquals(
        CliRun.of("probe", "--sysfs-root", CAPTURE),
        CliRun.withEnvironment(none, "probe", "--sysfs-root", CAPTURE));
  }

  @Test
  void aCaptureOfThisMachineReplays() throws IOException {
    Path file = folder.resolve("machine.tar.gz");
    CliRun packed = CliRun.of("probe", "--capture", file.toString());
    assertEquals(0, packed.status(), packed.err());
    assertEquals("", packed.out());
    CliRun replayed = CliRun.of("probe", "--sysfs-root", file.toString());
    assertEquals(0, replayed.status(), replayed.err());
    byte[] first = Files.readAllBytes(file);
    assertEquals(0, CliRun.of("probe", "--capture", file.toString()).status());
    assertArrayEquals(first, Files.readAllBytes(file), "the same machine gives the same bytes");
    assertEquals(1, Files.list(folder).count(), "nothing else is left there");
  }

  @Test
  void settingsChooseTheNetwork() {
    String all = CliRun.of("probe", "--sysfs-root", CAPTURE).out();
    CliRun none = CliRun.of("probe", "--sysfs-root", CAPTURE, "--env", "NCCL_SOCKET_IFNAME=^eth");
    assertTrue(all.contains("name=\"eth0\""), all);
    assertFalse(none.out().contains("name=\"eth0\""), none.out());
    CliRun algo = CliRun.of("probe", "--sysfs-root", CAPTURE, "--env", "NCCL_ALGO=ring");
    assertEquals(all, algo.out());
    assertEquals("topo: note: NCCL_ALGO ignored: no effect on the topology\n", algo.err());
  }

  @Test
  void aTopologyFileIsWhatTheProbeBeginsWith() {
    String file = Path.of(System.getProperty("topo.root"), "topologies/dgx-h100.xml").toString();
    CliRun run = CliRun.of("probe", "--sysfs-root", CAPTURE, "--env", "NCCL_TOPO_FILE=" + file);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("<gpu "), run.out());
    CliRun missing =
        CliRun.of("probe", "--sysfs-root", CAPTURE, "--env", "NCCL_TOPO_FILE=/nowhere/x.xml");
    assertEquals(3, missing.status());
    assertEquals("topo: /nowhere/x.xml: no such file, expected an XML file\n", missing.err());
  }

  @Test
  void whatIsNoCaptureIsBadInput() throws IOException {
    Path text = folder.resolve("text.tar.gz");
    Files.writeString(text, "not packed");
    Path damaged = folder.resolve("damaged");
    Files.createDirectories(damaged.resolve("sys"));
    Files.writeString(damaged.resolve("nvml.txt"), "nonsense");
    for (Path path : List.of(text, folder, damaged, folder.resolve("missing.tar.gz"))) {
      CliRun run = CliRun.of("probe", "--sysfs-root", path.toString());
      assertEquals(3, run.status(), run.err());
      assertEquals(1, run.err().lines().count(), run.err());
      assertTrue(run.err().startsWith("topo: " + path), run.err());
      assertTrue(run.err().contains("expected"), run.err());
    }
  }

  @Test
  void aCaptureIsOfThisMachineAndAlone() {
    assertEquals(2, CliRun.of("probe", "--capture", "x.tar.gz", "--sysfs-root", CAPTURE).status());
    assertEquals(
        2, CliRun.of("probe", "--capture", folder.resolve("none/x.tar.gz").toString()).status());
  }
}
