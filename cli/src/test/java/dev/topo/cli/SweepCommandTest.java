package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String SPEC =
      """
      machines: [%s/topologies/hgx-h200-4nic.xml]
      axes:
        nics: {"4": , "3": 'remove net:mlx5_3'}
      nodes: [2, 4]
      collectives: all_reduce
      sizes: [1M, 256M]
      """
          .formatted(ROOT);

  @TempDir private Path folder;

  private Path spec(String text) throws IOException {
    return Files.writeString(folder.resolve("small.yaml"), text);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static List<String> faults(String schema, String text, InputFormat format)
      throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(
            Files.readString(ROOT.resolve("docs/schema/" + schema + ".schema.json")),
            InputFormat.JSON)
        .validate(text, format)
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void runsShardsAndMergesThem() throws IOException {
    String spec = spec(SPEC).toString();
    for (String shard : new String[] {"2/2", "1/2"}) {
      CliRun run = CliRun.of("sweep", spec, "-o", path("r"), "--shard", shard, "--jobs", "1");
      assertEquals(0, run.status(), run.err());
      assertEquals(
          "topo: small: shard " + shard + ", 1 part in " + path("r") + ", 1 of them new\n",
          run.err());
    }
    CliRun merge = CliRun.of("sweep", "merge", path("r"));
    assertEquals(0, merge.status(), merge.err());
    assertEquals("topo: small: 8 rows of 4 variants in " + path("r") + ", complete\n", merge.err());
    assertEquals(
        List.of(),
        faults("sweep-folder", Files.readString(folder.resolve("r/sweep.json")), InputFormat.JSON));
  }

  @Test
  void aMissingShardIsBadInput() throws IOException {
    String spec = spec(SPEC).toString();
    CliRun.of("sweep", spec, "-o", path("r"), "--shard", "1/2");
    CliRun merge = CliRun.of("sweep", "merge", path("r"));
    assertEquals(ExitStatus.BAD_INPUT, merge.status());
    assertTrue(merge.err().contains("1 of 2 parts are missing of shard 2/2"), merge.err());
  }

  @Test
  void theShippedSpecificationHasItsSchema() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/sweep/rails.yaml"));
    assertEquals(List.of(), faults("sweep-spec", text, InputFormat.YAML));
    assertEquals(List.of(), faults("sweep-spec", SPEC, InputFormat.YAML));
    assertEquals(
        1, faults("sweep-spec", text.replace("nodes:", "hosts:"), InputFormat.YAML).size());
  }

  @Test
  void usageAndBadInputHaveTheirStatus() throws IOException {
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep").status());
    String spec = spec(SPEC).toString();
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep", spec, "--jobs", "0").status());
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep", spec, "--shard", "3/2").status());
    CliRun bad = CliRun.of("sweep", spec(SPEC + "hosts: 3\n").toString());
    assertEquals(ExitStatus.BAD_INPUT, bad.status());
    assertTrue(bad.err().contains("small.yaml:7:8: '3': key hosts: expected one of"), bad.err());
  }
}
