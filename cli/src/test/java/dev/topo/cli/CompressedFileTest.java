package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files compressed by gzip are read like others, except those that NCCL itself opens. */
class CompressedFileTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path DGX_A100 = ROOT.resolve("topologies/dgx-a100.xml");

  @TempDir private Path folder;

  private String packed(Path file) throws IOException {
    Path packed = folder.resolve(file.getFileName() + ".gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(file, out);
    }
    return packed.toString();
  }

  @Test
  void aCompressedTopologyGivesTheSameAnswer() throws IOException {
    CliRun run = CliRun.of("search", packed(DGX_A100));
    assertEquals(0, run.status(), run.err());
    assertEquals(CliRun.of("search", DGX_A100.toString()).out(), run.out());
  }

  @Test
  void aFolderOfAFleetIsSearchedForCompressedFiles() throws IOException {
    packed(DGX_A100);
    Files.copy(DGX_A100, folder.resolve("b.xml"));
    CliRun run = CliRun.of("diff", folder.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains(": 2 equal, 0 odd, 0 not readable"), run.out());
  }

  @Test
  void aCompressedMeasurementIsRead() throws IOException {
    Path file = ROOT.resolve("examples/one-nic.txt");
    assertEquals(
        CliRun.of("diagnose", file.toString(), "--format", "csv").out(),
        CliRun.of("diagnose", packed(file), "--format", "csv").out());
  }

  /** NCCL would not read it either. */
  @Test
  void aCompressedFileForNcclIsRefused() throws IOException {
    String file = packed(DGX_A100);
    CliRun run = CliRun.of("search", DGX_A100.toString(), "--env", "NCCL_TOPO_FILE=" + file);
    assertEquals(3, run.status(), run.out());
    assertEquals("topo: " + file + ": is compressed (gzip), expected an XML file\n", run.err());
  }

  @Test
  void whatIsCutOffIsBadInput() throws IOException {
    byte[] whole = Files.readAllBytes(Path.of(packed(DGX_A100)));
    Path file = folder.resolve("cut.xml.gz");
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    CliRun run = CliRun.of("show", file.toString());
    assertEquals(3, run.status());
    assertTrue(run.err().startsWith("topo: " + file + ": cannot be read ("), run.err());
  }

  @Test
  void lintUnpacksAndFixesNothingInIt() throws IOException {
    String file = packed(DGX_A100);
    assertEquals(0, CliRun.of("lint", file).status());
    CliRun fix = CliRun.of("lint", file, "--fix");
    assertEquals(2, fix.status());
    assertEquals("topo: --fix changes files, expected a FILE that is not compressed\n", fix.err());
  }
}
