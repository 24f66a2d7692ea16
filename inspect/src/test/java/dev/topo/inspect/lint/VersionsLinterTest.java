package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.search.rules.NcclProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** GPUs that are newer than the list of generations are no mistake. */
  @ParameterizedTest
  @CsvSource({
    "2.29.7, 100, 18, second-device",
    "2.30.3, 100, 18, ''",
    "2.30.7, 107, 36, ''",
    "2.32.3, 130, 72, ''",
    "2.30.7, 95, 18, gpu-sm",
    "2.30.7, 900, 18, gpu-sm",
    "2.30.7, 103, 36, nvlink-many"
  })
  void ranksThatShareAGpuAreReadFrom2303On(String version, int sm, int links, String expected) {
    String gpu =
        "<gpu dev=\"0\" sm=\"%d\" rank=\"%d\"><nvlink target=\"0\" count=\"%d\" tclass=\"0x068000\"/></gpu>";
    String text =
        HASH.replace(
            "  </cpu>",
            "<pci busid=\"0002:81:00.0\" class=\"0x030200\" link_speed=\"64.0 GT/s PCIe\" link_width=\"2\">"
                + gpu.formatted(sm, 0, links)
                + gpu.formatted(sm, 1, links)
                + "</pci></cpu>");
    assertEquals(
        expected,
        new Linter(NcclProfile.of(version))
            .lint(source(text), FileKind.TOPOLOGY).stream()
                .map(LintFinding::rule)
                .filter(
                    Set.of(
                            LintRule.SECOND_DEVICE,
                            LintRule.DUPLICATE_GPU_DEV,
                            LintRule.GPU_SM,
                            LintRule.NVLINK_MANY)
                        ::contains)
                .map(LintRule::id)
                .distinct()
                .collect(Collectors.joining(" ")));
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
