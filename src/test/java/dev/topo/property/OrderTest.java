package dev.topo.property;

import dev.topo.model.fixture.Thorough;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Neither the order of attributes in a file nor that of equal nodes of a job matters. */
class OrderTest {
  @TempDir private Path folder;

  @Test
  void orderOfAttributesDoesNotMatter() throws IOException {
    Counts counts = new Counts("order of attributes");
    for (DrawnJob job : Cases.every(Thorough.isOn() ? 1 : 20).toList()) {
      attributes(counts, job);
    }
    counts.report();
  }

  @Test
  void orderOfEqualNodesDoesNotMatter() throws IOException {
    Counts counts = new Counts("order of equal nodes");
    for (DrawnJob job : Cases.every(Thorough.isOn() ? 1 : 20).toList()) {
      nodes(counts, job);
    }
    counts.report();
  }

  private void attributes(Counts counts, DrawnJob job) throws IOException {
    counts.begin(job);
    Random random = new Random(job.seed());
    DrawnMachine machine = shuffled(job.machine(), random);
    DrawnJob other = job.on(machine, job.first().map(one -> shuffled(one, random)), job.nodes());
    for (String command : List.of("predict", "tune")) {
      counts.same(command, answer(job, command), answer(other, command));
    }
  }

  /** What a command answers about the job in files of the same names. */
  private String answer(DrawnJob job, String command) throws IOException {
    Path files = Files.createTempDirectory(folder, "job");
    Command done = Command.run(job.withCalls(job.command(command, files)), "--format", "csv");
    return (done.out() + done.err()).replace(files.toString(), "");
  }

  private static DrawnMachine shuffled(DrawnMachine machine, Random random) {
    return machine.with(
        new XmlDocument(List.of(), shuffled(machine.document().root(), random), List.of()));
  }

  private static XmlElement shuffled(XmlElement element, Random random) {
    List<Map.Entry<String, String>> entries = new ArrayList<>(element.attributes().entrySet());
    Collections.shuffle(entries, random);
    Map<String, String> attributes = new LinkedHashMap<>();
    entries.forEach(entry -> attributes.put(entry.getKey(), entry.getValue()));
    List<XmlNode> children = new ArrayList<>();
    element.elements().forEach(child -> children.add(shuffled(child, random)));
    return new XmlElement(element.name(), attributes, children, element.location());
  }

  /** The equal nodes as one option, as an option each, and as files with the same content. */
  private void nodes(Counts counts, DrawnJob drawn) throws IOException {
    DrawnJob job = drawn.nodes() > 1 ? drawn : drawn.on(drawn.machine(), 2);
    counts.begin(job);
    DrawnMachine first = job.first().orElse(job.machine());
    Path one = DrawnJob.write(first, Files.createTempDirectory(folder, "first"));
    List<Path> equal = new ArrayList<>();
    for (int node = 1; node < job.nodes(); node++) {
      equal.add(DrawnJob.write(job.machine(), Files.createTempDirectory(folder, "equal")));
    }
    List<String> times =
        List.of("--node", one.toString(), "--node", equal.get(0) + "*" + equal.size());
    String expected = answer(job, times);
    counts.same(
        "an option for each node",
        expected,
        answer(job, options(one, Collections.nCopies(equal.size(), equal.get(0)))));
    counts.same("a file for each node", expected, answer(job, options(one, equal)));
    Collections.reverse(equal);
    counts.same("files in another order", expected, answer(job, options(one, equal)));
    if (job.first().isEmpty()) {
      DrawnJob same = job.on(job.machine(), Optional.empty(), job.nodes());
      List<String> words = List.of(one.toString(), "--nodes", String.valueOf(job.nodes()));
      counts.same("--nodes", expected, answer(same, words));
    }
  }

  private static List<String> options(Path first, List<Path> others) {
    List<String> words = new ArrayList<>(List.of("--node", first.toString()));
    others.forEach(file -> words.addAll(List.of("--node", file.toString())));
    return words;
  }

  private static String answer(DrawnJob job, List<String> machines) {
    List<String> words = new ArrayList<>(List.of("predict"));
    words.addAll(machines);
    Command done = Command.run(job.withCalls(job.withRules(words)), "--format", "csv");
    return done.status() + done.out().replaceAll(",\"?caveat.*", "");
  }
}
