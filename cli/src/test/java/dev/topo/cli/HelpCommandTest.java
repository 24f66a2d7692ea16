package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Help, man pages and completions of shells. */
class HelpCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @TempDir private Path folder;

  private static String out(String... args) {
    CliRun run = CliRun.of(args);
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.err());
    return run.out();
  }

  @Test
  void helpOfACommandIsThatOfItsOption() {
    assertEquals(out("predict", "--help-all"), out("help", "predict"));
    assertEquals(out("--help"), out("help"));
  }

  @Test
  void helpOfNoCommandIsAUsageError() {
    CliRun run = CliRun.of("help", "predikt");
    assertEquals(2, run.status());
    assertTrue(run.err().startsWith("topo: there is no command 'predikt'"), run.err());
    assertEquals(2, CliRun.of("help", "--out-dir", folder.toString()).status());
  }

  @Test
  void everyCommandHasAManPageWithAllItsOptions() throws IOException {
    out("help", "--format", "man", "--out-dir", folder.toString());
    String top = Files.readString(folder.resolve("topo.1"));
    try (Stream<Path> pages = Files.list(folder)) {
      for (Path page : pages.filter(page -> !page.endsWith("topo.1")).toList()) {
        String command = page.getFileName().toString().replaceAll("topo-|\\.1$", "");
        String text = Files.readString(page);
        assertEquals(text, out("help", command, "--format", "man"));
        assertTrue(top.contains("\\fBtopo\\-" + command + "\\fR(1)\n"), command);
        for (String section : List.of("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES")) {
          assertTrue(text.contains(".SH \"" + section + "\"\n"), command + " " + section);
        }
        assertTrue(text.contains("\\fB70\\fR\nA bug in topo."), command);
        assertTrue(
            text.contains("\\fB\\-h\\fR, \\fB\\-\\-help\\fR, \\fB\\-\\-help\\-all\\fR\n"), command);
      }
    }
    assertTrue(
        Files.readString(folder.resolve("topo-predict.1"))
            .contains("\\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIFILE\\fR\n"));
  }

  @Test
  void manPagesNameEverySchema() throws IOException {
    out("help", "--format", "man", "--out-dir", folder.toString());
    TreeSet<String> named = new TreeSet<>();
    try (Stream<Path> pages = Files.list(folder)) {
      for (Path page : pages.toList()) {
        Files.readAllLines(page).stream()
            .filter(line -> line.endsWith(".schema.json"))
            .map(line -> line.replace("\\-", "-"))
            .forEach(named::add);
      }
    }
    try (Stream<Path> schemas = Files.list(ROOT.resolve("docs/schema"))) {
      assertEquals(
          schemas
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".schema.json"))
              .collect(Collectors.toCollection(TreeSet::new)),
          named);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bash | complete -F _complete_topo -o default topo",
        "zsh | '(-o --output)--output=[Write the output to this file]:FILE:_files'",
        "zsh | '(--format)--format=[text, xml, json]:<format>:(text xml json)'",
        "fish | complete -c topo -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'",
        "fish | complete -c topo -n '__fish_seen_subcommand_from run' -s b -l minbytes -x",
        "bash | (\"rdma\" \"slingshot\" \"efa\" \"sockets\" \"list\") # --network values",
        "bash | # --collective values",
        "bash | # --nccl values",
        "zsh | :{compadd -- rdma slingshot efa sockets list; _files}",
        "zsh | :(broadcast reduce all_gather",
        "fish | -l network -r -F -a 'rdma slingshot efa sockets list'",
        "fish | -l collective -x -a 'broadcast reduce all_gather"
      })
  void completionsKnowOptionsAndTheirValues(String shell, String part) {
    String script = out("completion", shell);
    assertTrue(script.contains(part), () -> "'" + part + "' is missing");
    assertEquals(script, out("completion", shell));
  }

  /** In bash, which every machine with a build has. */
  @Test
  void aMachineThatComesWithTopoIsCompletedByItsName() throws Exception {
    Path script = Files.writeString(folder.resolve("topo.bash"), out("completion", "bash"));
    Path home = Files.createDirectories(folder.resolve("home/topologies")).getParent();
    Files.createFile(home.resolve("topologies/dgx-h100.xml"));
    Files.createFile(home.resolve("topologies/gh200.xml"));
    Path launcher = Files.createFile(home.resolve("topo"));
    assertTrue(launcher.toFile().setExecutable(true));

    assertEquals(
        home.toRealPath() + "/topologies/dgx-h100.xml", completed(script, home, "predict", "dgx"));
    assertEquals("", completed(script, home, "chart", "dgx"));
  }

  private String completed(Path script, Path home, String command, String word) throws Exception {
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source $1; PATH=$2:$PATH; COMP_WORDS=(topo $3 $4); COMP_CWORD=2;"
                    + " _complete_topo topo $4 $3; echo \"${COMPREPLY[*]}\"",
                "bash",
                script.toString(),
                home.toString(),
                command,
                word)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor());
    return printed.strip();
  }
}
