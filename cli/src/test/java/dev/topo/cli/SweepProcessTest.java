package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.fixture.RandomCases;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps as processes: ended by SIGKILL, and as tasks of a Slurm array. */
@Tag("slow")
class SweepProcessTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** 12 parts: enough that a kill finds some done and some not. */
  private static final String SPEC =
      """
      name: killed
      machines: [%s/topologies/hgx-h200-4nic.xml]
      axes:
        nics: {"4": , "3": 'remove net:mlx5_3', "2": 'remove net:mlx5_2 net:mlx5_3', "1": 'remove net:mlx5_1 net:mlx5_2 net:mlx5_3'}
        speed: {a: 'net:*.speed=400000', b: 'net:*.speed=200000', c: 'net:*.speed=100000'}
      nodes: 2
      collectives: all_reduce
      sizes: [1M, 256M]
      """
          .formatted(ROOT);

  private static final int PARTS = 12;
  private static final int KILLS = RandomCases.count(2, 8);

  /** More kills, if none of the first ones found a run halfway. */
  private static final int MOST_KILLS = KILLS + 20;

  /** The files that a part makes: one that is written, which gets the name of the part. */
  private static final int FILES_PER_PART = 2;

  private static final long SEED = Long.getLong("test.seed", 26);

  @TempDir private Path folder;

  private Path spec() throws IOException {
    return Files.writeString(folder.resolve("killed.yaml"), SPEC);
  }

  private static Map<String, String> bytes(Path of) throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    try (Stream<Path> files = Files.list(of)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (!name.endsWith(".lock")) {
          bytes.put(name, Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
        }
      }
    }
    return bytes;
  }

  private Map<String, String> undisturbed() throws IOException {
    Path whole = folder.resolve("whole");
    CliRun run = CliRun.of("sweep", spec().toString(), "-o", whole.toString());
    assertEquals(0, run.status(), run.err());
    return bytes(whole);
  }

  private static List<String> command(String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.topo.cli.Main"));
    command.addAll(List.of(words));
    return command;
  }

  @Test
  void whatIsKilledGoesOnWithoutLossOrRepetition() throws IOException, InterruptedException {
    Map<String, String> expected = undisturbed();
    Path results = folder.resolve("killed");
    Random random = new Random(SEED);
    int partly = 0;
    for (int kill = 0; kill < KILLS || partly == 0 && kill < MOST_KILLS; kill++) {
      killAfter(1 + random.nextInt(4 * FILES_PER_PART), results);
      long parts = parts(results);
      partly += parts > 0 && parts < PARTS ? 1 : 0;
      if (parts == PARTS) {
        deleteSome(results, random);
      }
    }
    CliRun last = CliRun.of("sweep", spec().toString(), "-o", results.toString());
    assertEquals(0, last.status(), "seed " + SEED + ": " + last.err());
    assertEquals(expected, bytes(results), "seed " + SEED);
    assertTrue(partly > 0, "no kill found a run halfway: seed " + SEED);
    assertEquals(0, CliRun.of("sweep", "merge", results.toString()).status());
  }

  /** Starts a sweep and kills it when it has made some files of parts. */
  private void killAfter(int files, Path results) throws IOException, InterruptedException {
    Files.createDirectories(results);
    try (WatchService watch = results.getFileSystem().newWatchService()) {
      results.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process process =
          new ProcessBuilder(command("sweep", spec().toString(), "-o", results.toString()))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("messages").toFile())
              .start();
      CompletableFuture<Void> end = process.onExit().thenRun(() -> close(watch));
      try {
        for (int made = 0; made < files; ) {
          WatchKey key = watch.take();
          made +=
              (int)
                  key.pollEvents().stream()
                      .filter(event -> String.valueOf(event.context()).startsWith("part-"))
                      .count();
          key.reset();
        }
      } catch (ClosedWatchServiceException e) {
        // It has ended by itself.
      }
      process.destroyForcibly();
      end.join();
    }
  }

  private static void close(WatchService watch) {
    try {
      watch.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** So that the next kill finds work. */
  private static void deleteSome(Path results, Random random) throws IOException {
    try (Stream<Path> files = Files.list(results)) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".csv.gz") && random.nextInt(2) == 0) {
          Files.delete(file);
        }
      }
    }
  }

  private static long parts(Path results) throws IOException {
    if (!Files.exists(results)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(results)) {
      return files.filter(file -> file.toString().endsWith(".csv.gz")).count();
    }
  }

  @Test
  void theShippedScriptIsAnArrayOfSlurm() throws IOException, InterruptedException {
    for (String program : List.of("slurmctld", "slurmd", "munged", "sbatch")) {
      NotRun.unless(
          isThere(program),
          "sweep as a Slurm array (no " + program + "; Debian: slurmctld slurmd munge)");
    }
    Path cluster = folder.resolve("slurm");
    Path script = Files.createDirectories(cluster).resolve("node.sh");
    Files.write(script, SweepProcessTest.class.getResourceAsStream("slurm-node.sh").readAllBytes());
    Process node =
        new ProcessBuilder("bash", script.toString(), cluster.toString(), String.valueOf(port()))
            .redirectError(cluster.resolve("node.err").toFile())
            .start();
    try (BufferedReader said = node.inputReader(StandardCharsets.UTF_8)) {
      String first = Optional.ofNullable(said.readLine()).orElse("ended");
      NotRun.unless(first.equals("ready"), "sweep as a Slurm array (" + first + ")");
      runArray(cluster);
    } finally {
      node.getOutputStream().close();
      node.waitFor();
    }
  }

  private void runArray(Path cluster) throws IOException, InterruptedException {
    Path topo = folder.resolve("topo");
    Files.writeString(topo, "#!/bin/sh\nexec " + String.join(" ", command()) + " \"$@\"\n");
    Files.setPosixFilePermissions(topo, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path results = folder.resolve("array");
    ProcessBuilder submit =
        new ProcessBuilder(
                "sbatch",
                "--array=1-4",
                "--output=" + folder.resolve("task-%a.log"),
                ROOT.resolve("examples/sweep/sweep.sbatch").toString(),
                spec().toString(),
                results.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sbatch.log").toFile());
    submit.environment().put("SLURM_CONF", cluster.resolve("slurm.conf").toString());
    submit.environment().put("TOPO", topo.toString());
    Process job = submit.start();
    assertEquals(0, job.waitFor(), this::logs);
    // sbatch --wait asks once in some seconds only.
    ProcessBuilder queue = new ProcessBuilder("squeue", "--noheader").redirectErrorStream(true);
    queue.environment().putAll(submit.environment());
    while (!output(queue).isEmpty()) {
      Thread.onSpinWait();
    }
    CliRun merge = CliRun.of("sweep", "merge", results.toString());
    assertEquals(0, merge.status(), merge.err() + logs());
    assertEquals(undisturbed(), bytes(results));
    try (Stream<Path> files = Files.list(results)) {
      assertEquals(4, files.filter(file -> file.toString().endsWith("-of-4.lock")).count());
    }
  }

  private static String output(ProcessBuilder command) throws IOException {
    try (BufferedReader out = command.start().inputReader(StandardCharsets.UTF_8)) {
      return out.lines().collect(Collectors.joining("\n"));
    }
  }

  private String logs() {
    try (Stream<Path> files = Files.list(folder)) {
      StringBuilder text = new StringBuilder();
      for (Path file : files.filter(one -> one.toString().endsWith(".log")).toList()) {
        text.append(file.getFileName()).append(": ").append(Files.readString(file));
      }
      return text.toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static boolean isThere(String program) {
    return Stream.concat(
            Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** The first of two ports that are free now. */
  private static int port() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort() > 65_000 ? 16_817 : socket.getLocalPort();
    }
  }
}
