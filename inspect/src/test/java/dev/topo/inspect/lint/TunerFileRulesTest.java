package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.search.rules.NcclProfile;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of NCCL's example tuner plugin. */
class TunerFileRulesTest {
  private static String found(String text, Linter linter) {
    return linter.lint(new SourceText("rules.csv", text.getBytes(StandardCharsets.UTF_8))).stream()
        .map(finding -> finding.place().line() + " " + finding.rule().id())
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | allreduce,0,4,tree,ll,2,-1,-1;allreduce,5,9,ring,simple,0,4,32,1,0",
        "2 tuner-algorithm | allreduce,0,4,ring,ll,2,-1,-1;broadcast,0,4,tree,simple,2,1,-1",
        "1 tuner-algorithm | allreduce,0,4,nvls,ll,2,-1,-1",
        "1 tuner-algorithm | reduce,0,4,pat,simple,2,-1,-1",
        "1 tuner-row | allreduce,0,4,ring,ll,2,-1",
        "1 tuner-row | allreduce,,4,ring,ll,2,-1,-1;reduce,0,4,ring,ll,2,-1,-1",
        "1 tuner-row | allreduce,0,4,NVLS,simple,2,-1,-1",
        "2 tuner-row | allreduce,0,4,ring,ll,2,-1,-1;allreduce,5,64K,ring,simple,2,-1,-1",
        "1 tuner-row | all_reduce,0,4,ring,simple,2,-1,-1",
        "1 tuner-never | allreduce,9,4,ring,ll,2,-1,-1",
        "1 tuner-never | allreduce,0,4,ring,ll,2,4,2",
        "1 tuner-channels | allreduce,0,4,ring,ll,-1,-1,-1",
        "2 tuner-dead | allreduce,0,9,ring,ll,2,-1,-1;allreduce,2,4,ring,simple,2,4,32",
        "3 tuner-dead | allreduce,5,9,ring,ll,2,-1,-1;allreduce,0,4,ring,ll,2,-1,32;allreduce,2,9,ring,simple,2,4,32",
        "2 tuner-overlap | allreduce,0,4,ring,ll,2,-1,-1;allreduce,4,9,ring,ll,2,-1,-1",
        "'' | allreduce,0,4,ring,ll,2,4,32;allreduce,0,4,ring,simple,2,-1,-1",
        "'' | allreduce,0,9,ring,ll,2,-1,-1,-1,1;allreduce,0,9,ring,simple,2,-1,-1,-1,0",
        "1 tuner-algorithm | broadcast,0,9,tree,ll,2,-1,-1;broadcast,0,9,ring,simple,2,-1,-1"
      })
  void eachRuleIsFound(String expected, String rows) {
    assertEquals(expected, found(rows.replace(';', '\n') + "\n", new Linter()));
  }

  /** PAT came with 2.23. */
  @Test
  void theReleaseDecidesWhatThereIs() {
    String row = "allgather,0,4,pat,simple,2,-1,-1\n";
    assertEquals("", found(row, new Linter()));
    assertEquals("1 tuner-algorithm", found(row, new Linter(NcclProfile.of("2.21.5"))));
  }

  @Test
  void aMachineHasNoMoreRanksThanGpus() {
    String gpu =
        "<pci busid=\"0000:1%d:00.0\" class=\"0x030200\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"%d\" sm=\"80\" rank=\"%d\" gdr=\"1\"/></pci>";
    String xml =
        "<system version=\"1\"><cpu numaid=\"0\" affinity=\"f\" arch=\"arm64\">"
            + gpu.formatted(0, 0, 0)
            + gpu.formatted(1, 1, 1)
            + "</cpu></system>";
    Linter linter =
        Linter.against(
            new SourceText("machine", xml.getBytes(StandardCharsets.UTF_8)), NcclProfile.DEFAULT);
    assertEquals("", found("allreduce,0,4,ring,ll,2,4,8\n", linter));
    assertEquals("1 tuner-never", found("allreduce,0,4,ring,ll,2,4,9\n", linter));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# collective_type,min_bytes,max_bytes,algorithm,protocol\n",
        "# rules\n\n allreduce , 0 , 4 , ring , ll , 2 , -1 , -1\n",
        "broadcast,0,4,Tree,simple,2\r\n"
      })
  void theContentTellsTheKind(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    assertEquals(FileKind.TUNER, FileKind.of("nccl_tuner.conf", content));
    assertEquals(FileKind.TUNER, FileKind.of("system.xml", content));
  }
}
