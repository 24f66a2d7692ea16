package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.search.rules.NcclProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionsLinterTest {
  private static SourceText source(String text) {
    return new SourceText("x.xml", text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> names(String version, String text) {
    return new Linter(NcclProfile.of(version))
        .lint(source(text), FileKind.TOPOLOGY).stream()
            .filter(
                finding ->
                    finding.rule() == LintRule.UNKNOWN_ATTRIBUTE
                        || finding.rule() == LintRule.UNKNOWN_ELEMENT)
            .map(LintFinding::message)
            .toList();
  }

  private static final String HASH =
      """
      <system version="1">
        <cpu host_hash="0x1" numaid="0" affinity="ff" arch="arm64">
        </cpu>
      </system>
      """;

  @Test
  void anAttributeOfNewerVersionsIsUnknownToOlder() {
    assertEquals(
        List.of("<cpu>: host_hash is not an attribute of NCCL 2.20.5, it came with 2.21.5"),
        names("2.20.5", HASH));
    assertEquals(List.of(), names("2.21.5", HASH));
  }

  @Test
  void anElementOfNewerVersionsIsUnknownToOlder() {
    String text =
        HASH.replace(
            "  </cpu>",
            "    <pci busid=\"0000:01:00.0\" class=\"0x060400\"><pcilink target=\"0\"/></pci>\n  </cpu>");
    assertEquals(
        List.of("<pcilink>: is not an element of NCCL 2.21.5, it came with 2.22.3"),
        names("2.21.5", text));
    assertEquals(List.of(), names("2.22.3", text));
  }

  @Test
  void olderReadersHaveRoomForMoreElements() {
    String cpu =
        "  <cpu numaid=\"0\" affinity=\"ff\" arch=\"arm64\">\n"
            + "    <pci busid=\"0\" class=\"0x060400\"/>\n".repeat(100)
            + "  </cpu>\n";
    String text = "<system version=\"1\">\n" + cpu.repeat(3) + "</system>\n";
    List<LintFinding> found = VersionsLinter.lint(source(text), Optional.empty(), Optional.empty());
    LintFinding first =
        found.stream()
            .filter(finding -> finding.rule() == LintRule.TOO_MANY_ELEMENTS)
            .findFirst()
            .orElseThrow();
    assertEquals(
        "(NCCL 2.21.5 to 2.32.3)", first.message().substring(first.message().indexOf("(NCCL")));
  }

  @Test
  void whatAllVersionsFindIsNamedOnce() {
    String wrong = HASH.replace("numaid=\"0\" ", "").replace("host_hash=\"0x1\" ", "");
    assertEquals(
        new Linter().lint(source(wrong)),
        VersionsLinter.lint(source(wrong), Optional.empty(), Optional.empty()));
  }

  @Test
  void versionsThatFollowEachOtherAreARange() {
    List<String> all = List.of("a", "b", "c", "d", "e");
    assertEquals("a to c, e", VersionsLinter.ranges(List.of("a", "b", "c", "e"), all));
    assertEquals("b", VersionsLinter.ranges(List.of("b"), all));
  }
}
