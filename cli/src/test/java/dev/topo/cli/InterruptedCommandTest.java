package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that a signal ends leaves nothing behind: as a process, which gets SIGTERM. */
@Tag("slow")
class InterruptedCommandTest {
  private static final Path MACHINE =
      Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml");

  private static final int TAR_BLOCK = 512;

  @TempDir private Path folder;
  private Path work;

  @BeforeEach
  void makeFolders() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
  }

  private static List<String> names(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  /** Ends the command when it has made its first file in the folder. */
  private void endAtFirstFile(String... words) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + work,
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.topo.cli.Main"));
    command.addAll(List.of(words));
    try (WatchService watch = work.getFileSystem().newWatchService()) {
      work.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("messages").toFile())
              .start();
      CompletableFuture<Void> end = process.onExit().thenRun(() -> close(watch));
      try {
        watch.take();
        process.destroy();
        // 128 + SIGTERM
        assertEquals(143, process.waitFor(), Files.readString(folder.resolve("messages")));
      } catch (ClosedWatchServiceException e) {
        fail("no file was made: " + Files.readString(folder.resolve("messages")), e);
      } finally {
        process.destroyForcibly();
        end.join();
      }
    }
  }

  /** Ends the wait for a file of a command that has ended. */
  private static void close(WatchService watch) {
    try {
      watch.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCaptureThatIsUnpacked() throws IOException, InterruptedException {
    Path capture = folder.resolve("capture.tar.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(capture))) {
      for (int i = 0; i < 4_900; i++) {
        out.write(folderEntry("sys/x" + i + "/y"));
      }
      out.write(new byte[2 * TAR_BLOCK]);
    }
    endAtFirstFile("probe", "--sysfs-root", capture.toString());
    assertEquals(List.of(), names(work));
  }

  @Test
  void anAnswerThatIsWritten() throws IOException, InterruptedException {
    Path answer = work.resolve("answer.tsv");
    Files.writeString(answer, "before");
    endAtFirstFile(
        "connect",
        MACHINE.toString(),
        "--nodes",
        "6000",
        "--format",
        "tsv",
        "-o",
        answer.toString());
    assertEquals(List.of("answer.tsv"), names(work));
    assertEquals("before", Files.readString(answer));
    assertFalse(Files.readString(folder.resolve("messages")).contains("bug"));
  }

  /** The header of a folder in an archive (POSIX ustar). */
  private static byte[] folderEntry(String name) {
    byte[] header = new byte[TAR_BLOCK];
    put(header, 0, name);
    put(header, 100, "0000755");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "00000000000");
    put(header, 136, "00000000000");
    put(header, 148, "        ");
    put(header, 156, "5");
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, String.format("%06o\0 ", sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
