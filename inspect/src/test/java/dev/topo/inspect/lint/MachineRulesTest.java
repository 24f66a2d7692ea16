package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.search.rules.NcclProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineRulesTest {
  private static final String GPU =
      """
      <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="90" rank="0" gdr="1"/>
      </pci>
      """;

  private static final String NIC =
      """
      <pci busid="0000:12:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
        <nic>
          <net name="mlx5_0" dev="0" speed="400000" port="1" guid="0x1a" maxconn="1" gdr="1"/>
        </nic>
      </pci>
      """;

  /**
   * A machine with a GPU and a NIC.
   *
   * @param distance {@code PIX} below one switch, {@code PHB} below one CPU, {@code SYS} below two
   */
  private static SourceText machine(String distance) {
    String lower = distance.equals("PIX") ? NIC : "";
    String beside = distance.equals("PHB") ? NIC : "";
    String other = distance.equals("SYS") ? NIC : "";
    String text =
        """
        <system version="1">
        <cpu numaid="0" affinity="f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
        <pci busid="0000:10:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
        %s%s</pci>
        %s</cpu>
        <cpu numaid="1" affinity="f0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
        %s</cpu>
        </system>
        """
            .formatted(GPU, lower, beside, other);
    return new SourceText(distance + ".xml", text.getBytes(StandardCharsets.UTF_8));
  }

  /** A file that moves a NIC away from its GPU changes what NCCL does with it (checkGdr). */
  @ParameterizedTest
  @CsvSource({
    "PHB, PIX, below one CPU, below one PCI switch",
    "SYS, PIX, below different CPUs, below one PCI switch",
    "SYS, PHB, below different CPUs, below one CPU",
    "PIX, PIX, '', ''",
    "PHB, PHB, '', ''",
    "SYS, SYS, '', ''",
    "PIX, PHB, '', ''",
    "PHB, SYS, '', ''"
  })
  void aNicFartherThanOnTheMachineIsFound(String file, String real, String there, String here) {
    List<String> found =
        Linter.against(machine(real), NcclProfile.DEFAULT).lint(machine(file)).stream()
            .filter(finding -> finding.rule() == LintRule.MACHINE_GDR_DISTANCE)
            .map(finding -> finding.message().replaceFirst(".*? are ", ""))
            .toList();
    assertEquals(there.isEmpty() ? List.of() : List.of(there + ", on the machine " + here), found);
  }
}
