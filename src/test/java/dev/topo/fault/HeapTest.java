package dev.topo.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.TopoCommand;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.WholeFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The largest machine of {@code topologies} and the largest job of README with a heap of 64 MB, and
 * calls that end because memory runs out or a signal arrives: the answer is right and whole, or
 * there is none and what was there before is left. {@code -Dtopo.test.thorough=true} tries more
 * calls and heaps.
 */
@Tag("slow")
class HeapTest {
  private static final boolean THOROUGH = Thorough.isOn();
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String LARGEST = "topologies/hgx-h100-32nic.xml";
  private static final String JOB = "topologies/dgx-h100.xml --nodes 12500";
  private static final String BEFORE = "before";

  /** How a shell and Java report a process that SIGTERM has ended. */
  private static final int TERMINATED = 128 + 15;

  /** What Java prints, and no program can change, if the signal arrives while it starts. */
  private static final String VM_FAILED = "Error occurred during initialization of VM";

  @TempDir private Path folder;

  static List<String> calls() {
    List<String> calls =
        List.of(
            "report " + LARGEST + " -o out.html",
            "connect " + JOB + " --rank 42 -o out.txt",
            "connect " + JOB + " --format json -o out.json",
            "show " + LARGEST + " -o out.txt",
            "paths " + LARGEST + " -o out.txt",
            "search " + LARGEST + " --nodes 2 --format xml -o out.xml",
            "tune " + JOB + " --format json -o out.json",
            "explain " + JOB + " -o out.txt",
            "predict " + JOB + " --format json -o out.json",
            "whatif " + JOB + " gpu:0.gdr=0 --collective all_reduce --sizes 1M -o out.txt",
            "diff topologies/dgx-h100.xml " + LARGEST + " -o out.txt",
            "lint " + LARGEST + " --format json -o out.json",
            "draw " + LARGEST + " --pattern ring -o out.svg",
            "guest topologies/dgx-h100.xml --guest examples/vm.lspci -o out.xml");
    return THOROUGH ? calls : calls.subList(0, 2);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void sixtyFourMegabytesAreEnough(String call) throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream messages = new PrintStream(err, false, StandardCharsets.UTF_8);
    Path actual = output(call, "out");
    int status =
        TopoCommand.execute(new Streams(messages, messages), Map.of(), words(call, actual));
    Path expected = Files.move(actual, output(call, "expected"));

    Process process = start(64, call, actual);
    assertEquals(err.toString(StandardCharsets.UTF_8), messages(process));
    assertEquals(status, process.waitFor());
    assertEquals(-1, Files.mismatch(expected, actual), "the answer differs");
  }

  static List<String> callsThatNeedMore() {
    List<String> calls = new ArrayList<>();
    for (int heap : THOROUGH ? new int[] {4, 5, 6, 8, 12} : new int[] {5}) {
      calls.add(heap + " draw topologies/dgx-2.xml -o out.png");
      if (THOROUGH) {
        calls.add(heap + " report topologies/dgx-h100.xml -o out.html");
        calls.add(heap + " tune " + JOB + " --format json -o out.json");
      }
    }
    return calls;
  }

  @ParameterizedTest
  @MethodSource("callsThatNeedMore")
  void tooLittleMemoryIsSaid(String heapAndCall) throws Exception {
    int heap = Integer.parseInt(heapAndCall.split(" ")[0]);
    String call = heapAndCall.substring(heapAndCall.indexOf(' ') + 1);
    Path file = output(call, "out");
    Files.writeString(file, BEFORE);
    Process process = start(heap, call, file);
    String messages = messages(process);
    int status = process.waitFor();
    assertOnly(file);
    if (status == 0) {
      Path actual = Files.move(file, output(call, "actual"));
      Streams streams = new Streams(System.out, System.err);
      assertEquals(0, TopoCommand.execute(streams, Map.of(), words(call, file)));
      assertEquals(-1, Files.mismatch(file, actual), "the answer differs");
      return;
    }
    assertEquals(4, status, messages);
    assertTrue(
        messages.matches("topo: out of memory with a heap of \\d+ MiB: set TOPO_JAVA_OPTS=.*\n"),
        messages);
    assertEquals(BEFORE, Files.readString(file));
  }

  static List<Integer> classesUntilTheSignal() {
    return THOROUGH
        ? Stream.iterate(1, classes -> classes + 150).limit(20).toList()
        : List.of(2_000);
  }

  @ParameterizedTest
  @MethodSource("classesUntilTheSignal")
  void aSignalLeavesTheOutputAsItWas(int classes) throws Exception {
    AtomicInteger loaded = new AtomicInteger();
    aSignalLeavesTheOutputAsItWas(name -> loaded.incrementAndGet() == classes);
  }

  @Test
  void aSignalWhileTheOutputIsWrittenLeavesItAsItWas() throws Exception {
    aSignalLeavesTheOutputAsItWas(name -> name.startsWith(WholeFile.Content.class.getName()));
  }

  /** Sends the signal when a class is loaded: that tells how far the command is. */
  private void aSignalLeavesTheOutputAsItWas(Predicate<String> isTime) throws Exception {
    String call = "connect " + JOB + " --format json -o out.json";
    Path file = output(call, "out");
    Files.writeString(file, BEFORE);
    Path loaded = Files.createDirectory(folder.resolve("log")).resolve("classes");
    NotRun.unless(
        new ProcessBuilder("mkfifo", loaded.toString()).start().waitFor() == 0,
        "signals to a command (no mkfifo)");
    String log = "-Xlog:class+load:file=" + loaded + ":none:filecount=0";
    Process process = start(64, call, file, log);
    try (Stream<String> lines = Files.lines(loaded)) {
      lines.filter(isTime).forEach(now -> process.toHandle().destroy());
    }
    String messages = messages(process);
    int status = process.waitFor();
    if (messages.startsWith(VM_FAILED)) {
      assertEquals(BEFORE, Files.readString(file));
      return;
    }
    // A command that is about to create its temporary file says why it has no output.
    String ends = "topo: cannot write " + file + ": the process ends\n";
    assertTrue(messages.isEmpty() || messages.equals(ends) && status == TERMINATED, messages);
    assertTrue(status == 0 || status == TERMINATED, "status " + status);
    String left = Files.readString(file);
    if (!left.equals(BEFORE)) {
      // A late signal ends the process behind its work: then the answer is whole.
      JsonMapper.shared().readTree(left);
    } else {
      assertEquals(TERMINATED, status);
    }
  }

  private Path output(String call, String name) {
    return folder.resolve(name + call.substring(call.lastIndexOf('.')));
  }

  /** The words of a call; the last one is its output. */
  private static String[] words(String call, Path file) {
    String[] words =
        Arrays.stream(call.split(" "))
            .map(word -> word.contains("/") ? ROOT.resolve(word).toString() : word)
            .toArray(String[]::new);
    words[words.length - 1] = file.toString();
    return words;
  }

  private static Process start(int heap, String call, Path file, String... options)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.awt.headless=true"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.topo.cli.Main"));
    command.addAll(List.of(words(call, file)));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String messages(Process process) throws IOException {
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private void assertOnly(Path file) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }
}
