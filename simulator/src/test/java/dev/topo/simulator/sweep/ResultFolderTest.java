package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFolderTest {
  private static final String SPEC = "machines: [m.xml]\n";

  @TempDir private Path temporary;

  private Path results() {
    return temporary.resolve("results");
  }

  private ResultFolder made() {
    ResultFolder folder = ResultFolder.make(results(), Rows.INFO, SPEC, new Inputs());
    folder.write(0, Rows.part(0));
    folder.write(1, Rows.part(1));
    return folder;
  }

  private String refused(String spec) {
    return String.valueOf(
        assertThrows(
                OutputException.class,
                () -> ResultFolder.make(results(), Rows.INFO, spec, new Inputs()))
            .getMessage());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(results())) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void aFileThatHasANameOfASweepIsNotWrittenOver() throws IOException {
    for (String name :
        List.of("spec.yaml", "shard-1-of-1.lock", Rows.INFO.partName(0), ".topo.tmp")) {
      Path mine = Files.writeString(Files.createDirectories(results()).resolve(name), "mine");
      assertTrue(refused(SPEC).contains("is not a folder of results: it has " + name), name);
      assertEquals(List.of(name), names());
      assertEquals("mine", Files.readString(mine));
      Files.delete(mine);
    }
  }

  @Test
  void linksLeadToNoFileThatIsWritten() throws IOException {
    Path mine = Files.writeString(temporary.resolve("mine"), "mine");
    Path none = temporary.resolve("none");
    Files.createDirectories(results());
    for (Path target : List.of(mine, none)) {
      Path link = Files.createSymbolicLink(results().resolve("spec.yaml"), target);
      assertTrue(refused(SPEC).contains("it has spec.yaml"), "new folder");
      Files.delete(link);
    }
    made();
    Path file = results().resolve("spec.yaml");
    Path moved = Files.move(file, temporary.resolve("spec.yaml"));
    Files.createSymbolicLink(file, moved);
    assertTrue(refused(SPEC + "prices: {node: 1}\n").contains("cannot write " + file + ": a link"));
    assertEquals(SPEC, Files.readString(moved));
    Files.move(moved, file, StandardCopyOption.REPLACE_EXISTING);
    Files.createSymbolicLink(results().resolve("shard-1-of-1.lock"), none);
    ResultFolder folder = ResultFolder.open(results(), new Inputs());
    assertThrows(OutputException.class, () -> folder.lock(1, 1));
    assertFalse(Files.exists(none, LinkOption.NOFOLLOW_LINKS));
    assertEquals("mine", Files.readString(mine));
  }

  /** A link to a folder is that folder: results may be on another disk. */
  @Test
  void aLinkToAFolderIsTheFolder() throws IOException {
    Path real = Files.createDirectory(temporary.resolve("real"));
    Files.createSymbolicLink(results(), real);
    made();
    assertTrue(Files.exists(real.resolve("sweep.json")));
    Files.delete(real.resolve("sweep.json"));
    assertTrue(refused(SPEC).contains("it has part-000000-01234567.csv.gz"));
  }

  @Test
  void theSpecificationIsThatOfTheLastRun() throws IOException {
    made();
    String priced = SPEC + "prices: {node: 1}\n";
    ResultFolder.make(results(), Rows.INFO, priced, new Inputs());
    assertEquals(priced, ResultFolder.open(results(), new Inputs()).specText());
    Files.delete(results().resolve("spec.yaml"));
    ResultFolder.make(results(), Rows.INFO, priced, new Inputs());
    assertEquals(priced, ResultFolder.open(results(), new Inputs()).specText());
  }

  /** As after a kill between the two files. */
  @Test
  void aFolderThatWasHalfMadeIsCompleted() throws IOException {
    ResultFolder.make(results(), Rows.INFO, SPEC, new Inputs());
    Files.delete(results().resolve("spec.yaml"));
    ResultFolder.make(results(), Rows.INFO, SPEC, new Inputs());
    assertEquals(List.of("spec.yaml", "sweep.json"), names());
    Files.writeString(results().resolve("spec.yaml"), SPEC + "prices: {node: 1}\n");
    ResultFolder.make(results(), Rows.INFO, SPEC + "prices: {node: 1}\n", new Inputs());
    assertEquals(
        SPEC + "prices: {node: 1}\n", ResultFolder.open(results(), new Inputs()).specText());
  }

  @Test
  void foldersOfEarlierReleasesAreRead() throws IOException {
    made();
    Path file = results().resolve("sweep.json");
    String twice = "\"caveats\" : [ \"out\" ],\n  \"notes\" : [ \"out\" ]";
    String text =
        Files.readString(file)
            .replace(SweepInfo.SCHEMA, "topo/sweep-folder/1")
            .replace("\"caveats\" : [ ]", twice);
    assertTrue(text.contains("sweep-folder/1") && text.contains(twice), text);
    Files.writeString(file, text);
    assertEquals(List.of("out"), ResultFolder.open(results(), new Inputs()).info().caveats());
  }

  @Test
  void aPipeIsNoLock() throws IOException, InterruptedException {
    made();
    Path lock = results().resolve("shard-1-of-1.lock");
    assertEquals(0, new ProcessBuilder("mkfifo", lock.toString()).start().waitFor());
    assertThrows(
        OutputException.class, () -> ResultFolder.open(results(), new Inputs()).lock(1, 1));
  }

  /** Another process of the same array holds what it writes. */
  @Test
  void whatKilledProcessesLeftIsRemovedNotWhatOthersWrite() throws IOException {
    made();
    Files.writeString(results().resolve(".topo12ab.tmp"), "half");
    Files.writeString(results().resolve("notes.tmp"), "foreign");
    Path held = results().resolve(".topo77.tmp");
    try (FileChannel other =
        FileChannel.open(held, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      other.lock();
      ResultFolder.make(results(), Rows.INFO, SPEC, new Inputs());
      assertEquals(
          List.of(
              ".topo77.tmp",
              "notes.tmp",
              "part-000000-01234567.csv.gz",
              "part-000001-01234567.csv.gz",
              "spec.yaml",
              "sweep.json"),
          names());
    }
  }

  @Test
  void partsHaveTheNamesOfTheSweep() throws IOException {
    ResultFolder folder = made();
    assertEquals(new TreeSet<>(List.of(0, 1)), folder.parts());
    for (String name :
        List.of(
            "part-9999999999-01234567.csv.gz",
            "part-000002-01234567.csv.gz",
            "part-0000000-01234567.csv.gz",
            "part-000000-fedcba98.csv.gz")) {
      Path file = Files.writeString(results().resolve(name), "");
      TopologyFormatException e = assertThrows(TopologyFormatException.class, folder::parts, name);
      assertTrue(
          String.valueOf(e.getMessage()).contains(name + ": is a part of another sweep"),
          e.getMessage());
      Files.delete(file);
    }
    Files.writeString(results().resolve("shard-1-of-99999999999.lock"), "");
    assertEquals(new TreeSet<>(), folder.shardCounts());
  }

  @Test
  void whatIsNoDescriptionIsRefusedInOneLine() throws IOException {
    made();
    Path file = results().resolve("sweep.json");
    String own = Files.readString(file);
    Map<String, String> faults =
        Map.ofEntries(
            Map.entry("", "is not the description of a sweep"),
            Map.entry("null", "is null, expected an object"),
            Map.entry("{}", "is not the description of a sweep: Missing creator property"),
            Map.entry("[]", "is not the description of a sweep"),
            Map.entry(own + own, "is not the description of a sweep: Trailing token"),
            Map.entry(own + "x", "is not the description of a sweep"),
            Map.entry("[".repeat(100_000), "is not the description of a sweep"),
            Map.entry("{\"name\":".repeat(100_000), "is not the description of a sweep"),
            Map.entry(
                own.replace("\"topo\"", "\"name\""),
                "is not the description of a sweep: Duplicate"),
            Map.entry(own.replace("[ \"a\" ]", "[ null ]"), "null where a value is expected"),
            Map.entry(own.replace("0123456789abcdef", "0123"), "spec '0123', expected 16"));
    for (Map.Entry<String, String> fault : faults.entrySet()) {
      Files.writeString(file, fault.getKey());
      TopologyFormatException e =
          assertThrows(
              TopologyFormatException.class,
              () -> ResultFolder.open(results(), new Inputs()),
              fault.getValue());
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains(fault.getValue()), fault.getValue() + ": " + message);
      assertEquals(1, message.lines().count());
    }
    Files.writeString(file, own + " \n");
    assertEquals(4, ResultFolder.open(results(), new Inputs()).info().variants());
  }
}
