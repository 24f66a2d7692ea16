package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.topology.NvlinkDomain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dumps of an NVLink domain of several hosts, which NCCL writes and never reads. */
class DomainDumpTest {
  private static String rack(int trays) {
    Path tray = Path.of(System.getProperty("topo.root"), "topologies", "gb200-tray.xml");
    XmlElement domain =
        NvlinkDomain.fuse(
            Collections.nCopies(trays, new XmlReader().read(tray, new Inputs()).root()));
    return XmlWriter.write(new XmlDocument(List.of(), domain, List.of()));
  }

  private static List<LintFinding> lint(String text) {
    return new Linter()
        .lint(new SourceText("rack.xml", text.getBytes(StandardCharsets.UTF_8)), FileKind.TOPOLOGY);
  }

  @Test
  void haveNoWarningsMeantForATopologyFile() {
    for (int trays : new int[] {2, 4, 18}) {
      List<LintFinding> findings = lint(rack(trays));
      assertEquals(1, findings.size(), findings.toString());
      assertEquals(Severity.NOTE, findings.get(0).severity());
      String message = findings.get(0).message();
      assertTrue(message.contains("a dump of an NVLink domain of " + trays + " hosts"), message);
      assertTrue(message.contains("cannot be given as NCCL_TOPO_FILE"), message);
    }
  }

  @Test
  void mistakesInThemAreFound() {
    List<LintFinding> findings =
        lint(rack(2).replaceFirst("link_speed=\"32.0 GT/s PCIe\"", "link_speed=\"fast\""));
    assertTrue(
        findings.stream().anyMatch(finding -> finding.rule().id().equals("link-speed")),
        findings.toString());
  }

  /** The hosts of such a file cannot be one machine: the CPUs of two in a file are a mistake. */
  @Test
  void hostsWithoutNvSwitchAreNoDomain() {
    List<LintFinding> findings = lint(rack(2).replaceFirst("<nvlink [^>]*>", ""));
    assertTrue(
        findings.stream()
            .anyMatch(
                finding ->
                    finding.rule().id().equals("many-hosts")
                        && finding.severity() == Severity.WARNING),
        findings.toString());
  }

  /** NCCL counts a CPU without a host to the first one, and fails where a link has one end only. */
  @Test
  void aCpuWithoutAHostIsOnTheFirst() throws IOException {
    String machine =
        Files.readString(
            Path.of(System.getProperty("topo.root"), "topologies/a100-4-slingshot.xml"));
    String oneEnd =
        machine
            .replaceFirst(" host_hash=\"0x1\"", "")
            .replaceFirst(
                "(<pci busid=\"0000:46:00.0\"[^~]*?)<nvlink target=\"0000:07:00.0\"[^>]*/>", "$1");
    List<LintFinding> findings = lint(oneEnd);
    assertTrue(
        findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR),
        findings.toString());
  }
}
