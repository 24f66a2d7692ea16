package dev.topo.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.probe.CaptureReader;
import dev.topo.hw.probe.UnpackedCapture;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.Inputs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each operation on a file fails in turn: no call loses an input, leaves half an output or a
 * temporary file, shows a stack trace or gives another answer. {@code -Dtopo.test.thorough=true}
 * tries all calls and most steps, {@code -Dtest.iters} sets the most steps of a call, {@code
 * -Dtest.command} takes the calls with this in their words.
 */
@Tag("slow")
class FaultTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @TempDir private Path folder;

  @BeforeEach
  void makeInputs() throws IOException {
    Path in = Files.createDirectory(folder.resolve("in"));
    Files.createDirectory(folder.resolve("out"));
    Files.createDirectory(folder.resolve("tmp"));
    for (String input : Scenario.INPUTS) {
      Path file = ROOT.resolve(input);
      Files.copy(file, in.resolve(String.valueOf(file.getFileName())));
    }
    Path fleet = Files.createDirectory(in.resolve("fleet"));
    Files.copy(in.resolve("rtx4090-2.xml"), fleet.resolve("a.xml"));
    Files.copy(in.resolve("rtx4090-2.xml"), fleet.resolve("b.xml"));
    Files.copy(in.resolve("l40s-4.xml"), fleet.resolve("c.xml"));
    Files.writeString(in.resolve("one.edits"), "[one]\nremove net:mlx5_3\n");
    Files.writeString(
        in.resolve("small.yaml"),
        "machines: [rtx4090-2.xml]\naxes: {x: {a: , b: env NCCL_ALGO=Ring}}\ncollectives: all_reduce\nsizes: 1M\n");
    Path image = Files.createDirectories(in.resolve("image/etc"));
    Files.writeString(image.resolve("nccl.conf"), "NCCL_ALGO=Ring\n");
    Files.writeString(image.resolve("ld.so.conf"), "/opt/lib\n");
    // Any ELF file will do for a library.
    Path library = Path.of(System.getProperty("java.home"), "lib", "libjsig.so");
    Files.copy(
        library, Files.createDirectories(in.resolve("image/opt/lib")).resolve("libnccl.so.2"));
    Files.copy(library, Files.createDirectories(in.resolve("image/bin")).resolve("program"));
    try (UnpackedCapture capture =
        new CaptureReader().unpack(in.resolve("machine.tar.gz"), new Inputs())) {
      copy(capture.folder(), in.resolve("captured"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path file : tree.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()), LinkOption.NOFOLLOW_LINKS);
      }
    }
  }

  @Test
  void noStepThatFailsLosesDataOrChangesAnAnswer() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Djava.awt.headless=true",
                "-Djava.nio.file.spi.DefaultFileSystemProvider=" + FaultProvider.class.getName(),
                "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                "-Dtopo.test.thorough=" + Thorough.isOn(),
                "-Dtest.iters=" + System.getProperty("test.iters", ""),
                "-Dtest.command=" + System.getProperty("test.command", ""),
                "-cp",
                System.getProperty("java.class.path"),
                FaultRun.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    List<String> failures = output.lines().filter(line -> line.startsWith("FAILED")).toList();
    String calls = output.substring(output.lastIndexOf("CALLS"));
    System.out.println("faults " + calls.strip());
    assertEquals("", output.substring(0, output.lastIndexOf("CALLS")), failures.size() + " failed");
    assertTrue(Integer.parseInt(calls.substring("CALLS ".length()).strip()) > 0, calls);
  }
}
