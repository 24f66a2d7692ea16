package dev.topo.inspect.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileComparisonTest {
  private static final String EMPTY = "<system version=\"1\"/>";

  private static XmlElement xml(String text) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "test.xml").root();
  }

  private static List<Fact> compare(String nccl, String ours) {
    return FileComparison.of(Topic.TOPOLOGY, "dump.xml", xml(nccl), xml(ours));
  }

  @Test
  void equalFilesAgreeElementByElement() {
    List<Fact> facts =
        compare(
            "<system version=\"1\"><cpu numaid=\"0\" host_hash=\"0x1\" arch=\"x86_64\"/></system>",
            "<system version=\"1\"><cpu arch=\"x86_64\" numaid=\"0\"/></system>");
    assertEquals(2, facts.size());
    assertTrue(facts.stream().allMatch(Fact::isEqual), facts.toString());
  }

  @Test
  void anAttributeThatDiffersIsShownWithItsPlace() {
    List<Fact> facts =
        compare(
            "<system version=\"1\"><pci busid=\"0000:18:00.0\" link_width=\"16\"/></system>",
            "<system version=\"1\"><pci busid=\"0000:18:00.0\" link_width=\"8\"/></system>");
    assertEquals(
        List.of(
            new Fact(
                Topic.TOPOLOGY,
                "dump.xml",
                "system > pci 0000:18:00.0",
                "pci busid=\"0000:18:00.0\" link_width=\"16\"",
                "pci busid=\"0000:18:00.0\" link_width=\"8\"")),
        facts.stream().filter(fact -> !fact.isEqual()).toList());
  }

  @Test
  void anElementThatOnlyOneHasIsADifference() {
    String with = "<system version=\"1\"><nic><net name=\"eth0\" dev=\"0\"/></nic></system>";
    List<Fact> missing = compare(with, EMPTY).stream().filter(fact -> !fact.isEqual()).toList();
    assertEquals(
        List.of("nic", "net dev=\"0\" name=\"eth0\""),
        missing.stream().map(Fact::expected).toList());
    assertTrue(missing.stream().allMatch(fact -> fact.found().equals("nothing")));
    assertEquals(
        2, compare(EMPTY, with).stream().filter(f -> f.expected().equals("nothing")).count());
  }
}
