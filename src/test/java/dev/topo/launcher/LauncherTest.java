package dev.topo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher {@code topo} in a checkout whose Maven and Java are scripts that write a log. */
class LauncherTest {
  private static final Path LAUNCHER = Path.of(System.getProperty("topo.root"), "topo");

  private static final long SECONDS_PER_DAY = 86_400;

  @TempDir private Path folder;

  private Path checkout;
  private Path source;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = Files.createDirectory(folder.resolve("checkout"));
    source = checkout.resolve("cli/src/main/java/Main.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "class Main {}");
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    Files.writeString(checkout.resolve("cli/pom.xml"), "<project/>");
    Files.copy(LAUNCHER, checkout.resolve("topo"), StandardCopyOption.COPY_ATTRIBUTES);
    script("jdk/bin/java", "echo \"java $*\" >> " + log());
    script("jdk/bin/javac", "exit 0");
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    script(
        "bin/mvn",
        "echo mvn >> "
            + log()
            + "; mkdir -p cli/target/topo/lib; : > cli/target/topo/lib/topo-cli.jar");
  }

  @Test
  void aChangedSourceIsBuiltOnce() throws Exception {
    assertEquals(1, buildsOf(start(checkout), start(checkout)));
    Files.writeString(source, "class Main { int changed; }");
    Files.setLastModifiedTime(source, later(checkout.resolve("cli/target/topo/stamp"), 1));
    assertEquals(2, buildsOf(start(checkout)));
  }

  /** A time after that of a file. */
  private static FileTime later(Path file, long seconds) throws IOException {
    return FileTime.from(Files.getLastModifiedTime(file).toInstant().plusSeconds(seconds));
  }

  @Test
  void aSourceDatedInTheFutureIsBuiltOnce() throws Exception {
    FileTime tomorrow = later(source, SECONDS_PER_DAY);
    Files.setLastModifiedTime(source, tomorrow);
    Files.setLastModifiedTime(source.getParent(), tomorrow);
    assertEquals(1, buildsOf(start(checkout), start(checkout), start(checkout)));

    Files.writeString(source, "class Main { int changed; }");
    Files.setLastModifiedTime(source, tomorrow);
    assertEquals(2, buildsOf(start(checkout), start(checkout)));
  }

  @Test
  void aBuiltCheckoutStartsAtAnotherPlace() throws Exception {
    assertEquals(1, buildsOf(start(checkout)));
    Path moved = Files.move(checkout, folder.resolve("moved"));
    assertEquals(1, buildsOf(start(moved), start(moved)));
    List<String> lines = Files.readAllLines(folder.resolve("log"));
    assertTrue(
        lines
            .get(lines.size() - 1)
            .contains(moved.resolve("cli/target/topo/lib/topo-cli.jar").toString()),
        () -> String.join("\n", lines));
  }

  @Test
  void theVersionOfACheckoutWithoutGitHasNoCommit() throws Exception {
    assertEquals(0, start(checkout).status());
    assertFalse(Files.readString(log()).contains("-Dtopo.commit="), Files.readString(log()));
  }

  @Test
  void theVersionHasTheCommitOfTheCheckoutOnly() throws Exception {
    String git =
        "case \"$3 $4\" in *show-prefix) echo \"$PREFIX\" ;; log*) echo 'commit 01 of 2026-01-01' ;;"
            + " *--porcelain) echo '?? new' ;; *) exit 1 ;; esac";
    script("bin/git", "PREFIX=; " + git);
    assertEquals(0, start(checkout).status());
    String log = Files.readString(log());
    assertTrue(log.contains("-Dtopo.commit=commit 01 of 2026-01-01 with changes -cp"), log);
    Files.delete(log());
    script("bin/git", "PREFIX=inner/; " + git);
    assertEquals(0, start(checkout).status());
    assertFalse(Files.readString(log()).contains("-Dtopo.commit="), Files.readString(log()));
  }

  @Test
  void aFolderThatCannotBeWrittenIsSaid() throws Exception {
    // A file in the place of the folder: root may write everywhere else.
    Files.createDirectories(checkout.resolve("cli/target"));
    Files.writeString(checkout.resolve("cli/target/topo"), "");
    Run run = start(checkout);
    assertEquals(4, run.status(), run.output());
    assertTrue(run.output().contains("cli/target/topo cannot be written"), run.output());
  }

  @Test
  void aMissingJarIsBuiltAgain() throws Exception {
    assertEquals(1, buildsOf(start(checkout)));
    Files.delete(checkout.resolve("cli/target/topo/lib/topo-cli.jar"));
    assertEquals(2, buildsOf(start(checkout), start(checkout)));
  }

  /** The JVM ends with 1, which would say that a check failed. */
  @Test
  void aJavaThatDoesNotStartIsMissing() throws Exception {
    assertEquals(1, buildsOf(start(checkout)));
    script("jdk/bin/java", "echo 'Error: no memory'; exit 1");
    for (String before : List.of("export TOPO_JAVA_OPTS=-Xmx1", "export JAVA_TOOL_OPTIONS=-Xmx1")) {
      Run run = start(checkout, before);
      assertEquals(4, run.status(), run.output());
      assertTrue(run.output().contains("does not start: Error: no memory"), run.output());
    }
    // Also without a sign of it, if no archive of classes could be made.
    assertEquals(4, start(checkout).status());
    Run run = start(checkout, "ulimit -n 32");
    assertEquals(4, run.status(), run.output());
    assertTrue(run.output().contains("only 32 files may be open"), run.output());
  }

  @Test
  void anArchiveOfClassesWithoutItsEndIsNotMapped() throws Exception {
    script(
        "jdk/bin/java",
        "echo \"java $*\" >> "
            + log()
            + "; case \"$*\" in *-Xshare:dump*) ;; *) exit 0;; esac"
            + "; for word; do case $word in *ArchiveFile=*) echo classes > ${word#*=};; esac; done");
    assertEquals(1, buildsOf(start(checkout)));
    Path archive = checkout.resolve("cli/target/topo/start-17.0.1");
    assertEquals("classes\n", Files.readString(archive));
    Files.writeString(archive, "cla");
    Files.delete(log());
    assertEquals(0, start(checkout).status());
    assertEquals("classes\n", Files.readString(archive), "made again");
    assertTrue(Files.readString(log()).contains("SharedArchiveFile=" + archive + " "));
  }

  /** Java takes the letters of names for ASCII where the locale is C or is not installed. */
  @ParameterizedTest
  @CsvSource({
    "C, C.UTF-8",
    "xx_XX.UTF-8, C.UTF-8",
    "C.UTF-8, C.UTF-8",
    "xx_XX.ISO-8859-1, xx_XX.ISO-8859-1"
  })
  void namesOfFilesAreUtf8(String stated, String used) throws Exception {
    script("jdk/bin/java", "echo \"LC_ALL=$LC_ALL\"");
    Run run = start(checkout, "export LC_ALL=" + stated);
    assertTrue(run.output().endsWith("LC_ALL=" + used + "\n"), run.output());
  }

  private record Run(int status, String output) {}

  private Run start(Path root) throws IOException, InterruptedException {
    return start(root, ":");
  }

  /** Starts it after a command of the shell. */
  private Run start(Path root, String before) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash", "-c", before + " && exec \"$0\" --version", root.resolve("topo").toString());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    return new Run(process.waitFor(), output);
  }

  private long buildsOf(Run... runs) throws IOException {
    for (Run run : runs) {
      assertEquals(0, run.status(), run.output());
    }
    return Files.readAllLines(folder.resolve("log")).stream().filter("mvn"::equals).count();
  }

  private Path log() {
    return folder.resolve("log");
  }

  private void script(String name, String command) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }
}
