package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.NotRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command as a process in a pipe: what it reads there, and what nobody takes. */
@Tag("slow")
class PipeTest {
  private static final Path MACHINE =
      Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml");

  @TempDir private Path folder;

  private record Ended(int status, String err) {}

  /** Runs in a shell: {@code $TOPO} stands for the command. */
  private Ended shell(String script, String... options) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            "-c",
            script.replace(
                "$TOPO",
                "'"
                    + java
                    + "' "
                    + String.join(" ", options)
                    + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp \"$TEST_CLASS_PATH\" dev.topo.cli.Main"));
    builder.environment().put("TEST_CLASS_PATH", System.getProperty("java.class.path"));
    builder.environment().put("LC_ALL", "C");
    builder.directory(folder.toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"show '%s'", "search '%s' --format xml", "--help", "show --help"})
  void aFullDiskIsAnError(String command) throws IOException, InterruptedException {
    NotRun.unless(Files.exists(Path.of("/dev/full")), "output to a full disk (no /dev/full)");
    assertEquals(
        new Ended(
            ExitStatus.MISSING, "topo: cannot write to standard output: No space left on device\n"),
        shell("$TOPO " + String.format(command, MACHINE) + " > /dev/full"));
  }

  @Test
  void aDashIsStandardInput() throws IOException, InterruptedException {
    assertEquals(
        new Ended(0, ""),
        shell(
            "set -eo pipefail; cat '"
                + MACHINE
                + "' | $TOPO show - | grep -q '^stdin: 8 GPUs'; cat '"
                + MACHINE
                + "' | $TOPO search --node '-*2' | grep -q '2 nodes'; cat '"
                + MACHINE
                + "' | $TOPO lint - --assume gpu=h100,nvlink=none,net=400000 2>&1 | grep -q assumed"));
    assertEquals(ExitStatus.USAGE, shell("$TOPO show '" + MACHINE + "' -o -").status());
  }

  /** By whatever name the shell gives it: a pipe may be read, a file not be written over. */
  @Test
  void theFileOfStandardInputIsNotWrittenOver() throws IOException, InterruptedException {
    Path file = Files.copy(MACHINE, folder.resolve("x.xml"));
    Ended ended = shell("$TOPO search - < '" + file + "' -o '" + file + "'");
    assertEquals(
        "topo: cannot write " + file + ": is also an input, expected another file\n", ended.err());
    assertEquals(ExitStatus.USAGE, ended.status());
    assertEquals(Files.readString(MACHINE), Files.readString(file));
    assertEquals(
        new Ended(0, ""),
        shell("set -o pipefail; $TOPO search <(cat '" + file + "') | grep -q 'channels 0-'"));
  }

  @Test
  void aTemporaryFolderThatIsMissingIsNamed() throws IOException, InterruptedException {
    Path capture =
        Path.of(
            System.getProperty("topo.root"),
            "src/test/resources/measured/h200-x4-probe/machine.tar.gz");
    Ended ended =
        shell(
            "$TOPO probe --sysfs-root '" + capture + "'",
            "-Djava.io.tmpdir=" + folder.resolve("none"));
    assertEquals(
        new Ended(
            ExitStatus.USAGE,
            "topo: cannot unpack "
                + capture
                + ": no temporary folder in "
                + folder.resolve("none")
                + ": no such file\n"),
        ended);
  }

  /** A tree that someone else made may hold a pipe in the place of any file. */
  @Test
  void aPipeInATreeIsNotWaitedFor() throws IOException, InterruptedException {
    Ended ended =
        shell(
            "mkdir -p r/etc r/sys r/proc; mkfifo r/etc/nccl.conf r/proc/cpuinfo r/etc/ld.so.conf r/a.xml;"
                + " timeout 20 $TOPO doctor --root r; test $? -eq 4"
                + " && timeout 20 $TOPO probe --sysfs-root r -o /dev/null"
                + " && timeout 20 $TOPO diff r; test $? -eq 2");
    assertEquals(0, ended.status(), ended.err());
  }

  @Test
  void aReaderThatHasSeenEnoughIsNone() throws IOException, InterruptedException {
    assertEquals(
        new Ended(0, ""),
        shell(
            "set -o pipefail; $TOPO connect '" + MACHINE + "' --nodes 64 --format tsv | head -1"));
  }
}
