package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.topo.cli.fixture.CliRun;
import dev.topo.visualizer.view.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every JSON document that the command writes has the fields of its schema, and no others. */
class SchemaTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path SCHEMAS = ROOT.resolve("docs/schema");
  private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z]+) ");

  /** The schema of what a user writes. */
  private static final String INPUT = "sweep-spec";

  /**
   * What {@code topo verify} and {@code topo run --workload} write needs NCCL: VerifierTest and
   * ReplayAnswerTest check it. SweepCommandTest checks the files of sweeps.
   */
  private static final Set<String> CHECKED_ELSEWHERE =
      Set.of("verify", "replay", INPUT, "sweep", "sweep-diff", "sweep-folder");

  /**
   * A call for each schema, with folders relative to the project; more where fields may be absent.
   */
  private static final List<String> CALLS =
      List.of(
          "show: show topologies/dgx-h100.xml",
          "show: show topologies/gh200.xml",
          "paths: paths topologies/dgx-1v.xml",
          "search: search topologies/dgx-h100.xml --nodes 2",
          "search: search --node topologies/dgx-a100.xml --node topologies/dgx-h100.xml",
          "connect: connect topologies/dgx-h100.xml --nodes 2",
          "connect: connect topologies/dgx-h100.xml --split 'MOD 2'",
          "connect: connect topologies/dgx-h100.xml --nodes 2 --what nvls,collnet,p2p,nics",
          "connect: connect topologies/hgx-h100-sharp.xml --nodes 2 --what nvls,collnet"
              + " --env NCCL_COLLNET_ENABLE=1",
          "connect: connect topologies/dgx-2.xml --what rings-trees,nvls,p2p,nics",
          "tune: tune topologies/dgx-h100.xml --sizes 1M,64M",
          "tune: tune topologies/dgx-h100.xml --sizes 8,64M --buffers plain,registered,symmetric --env NCCL_CTA_POLICY=2",
          "tune: tune topologies/dgx-h100.xml --sizes 8 --collective broadcast --env NCCL_ALGO=Tree",
          "tune: tune topologies/dgx-h100.xml --nodes 2 --sizes 8,64M --collective alltoall,sendrecv,reduce",
          "explain: explain topologies/dgx-1v.xml",
          "explain: explain topologies/dgx-1v.xml --collective gather --about choice",
          "explain: explain topologies/dgx-h100.xml --nodes 2 --collective alltoall --sizes 1M --about bound",
          "predict: predict topologies/dgx-h100.xml --sizes 1M,1G --algorithm each",
          "predict: predict topologies/dgx-1v.xml --nodes 2 --sizes 1M --cuda-graph",
          "predict: predict topologies/dgx-h100.xml --sizes 1M --env NCCL_ALGO=CollNetChain",
          "predict-scaling: predict topologies/dgx-h100.xml --nodes 1,2,4 --sizes 1M",
          "predict-against: predict src/test/resources/measured/h200-x4.topo.xml"
              + " --against src/test/resources/measured/h200-x4-run/verify.json",
          "predict-floor: predict topologies/dgx-h100.xml --nodes 2 --sizes 1G --floor 99",
          "predict-floor: predict topologies/dgx-h100.xml --nodes 2000 --sizes 1G --floor 80",
          "advise: advise src/test/resources/measured/h200-x2.topo.xml --env NCCL_NVLS_ENABLE=0 --may settings,tuner,code",
          "advise: advise src/test/resources/measured/h200-x2.topo.xml --collective all_gather --sizes 64K,4M",
          "advise: advise topologies/dgx-h100.xml --sizes 1M,64M --may settings,tuner,code",
          "advise: advise topologies/dgx-1v.xml --nodes 2 --sizes 1M",
          "advise: advise src/test/resources/measured/declared-chain.topo.xml --collective all_reduce --sizes 1G --may graph"
              + " --env NCCL_NVLS_ENABLE=0",
          "advise: advise topologies/dgx-a100.xml --collective all_reduce --sizes 1G --may graph",
          "workload: workload src/test/resources/measured/h200-x2-workloads/moe.rank0.json.gz"
              + " src/test/resources/measured/h200-x2-workloads/moe.rank1.json.gz"
              + " --machine src/test/resources/measured/h200-x2.topo.xml",
          "workload: workload src/test/resources/measured/h200-x2-workloads/fsdp.rank0.json.gz"
              + " src/test/resources/measured/h200-x2-workloads/fsdp.rank1.json.gz"
              + " --machine src/test/resources/measured/h200-x2.topo.xml --whatif 'env NCCL_ALGO=Tree'",
          "workload: workload src/test/resources/measured/h200-x2-workloads/ddp.rank0.flight.pkl"
              + " --machine src/test/resources/measured/h200-x2.topo.xml --whatif 'env NCCL_MAX_CTAS=4'",
          "workload: workload src/test/resources/measured/h200-x2-workloads/mix.rank0.json.gz"
              + " src/test/resources/measured/h200-x2-workloads/mix.rank1.json.gz"
              + " --machine src/test/resources/measured/h200-x2.topo.xml --env NCCL_NVLS_ENABLE=0"
              + " --advise --may settings,tuner,code",
          "workload: workload examples/fsdp.rank0.json.gz --machine examples/h200-x2.xml --memory",
          "check: check examples/one-nic.txt examples/healthy.txt topologies/dgx-h100.xml --nodes 2",
          "check: check examples/healthy.txt examples/memory.csv examples/h200-x4.xml",
          "diagnose: diagnose examples/one-nic.txt",
          "diagnose: diagnose --log examples/sockets.log",
          "calibrate: calibrate --calibration h200-nvswitch --against"
              + " src/test/resources/measured/h200-x4-run/verify.json"
              + " --topology src/test/resources/measured/h200-x4.topo.xml",
          "calibrate-times: calibrate src/test/resources/measured/h200-2x1-sockets.csv --nodes 2"
              + " --topology src/test/resources/measured/h200-x2.topo.xml --network sockets",
          "whatif: whatif topologies/hgx-h200-4nic.xml --nodes 2 'remove net:mlx5_0'",
          "whatif: whatif topologies/dgx-1v.xml 'remove nvlink:0-1' --collective all_reduce,alltoall",
          "whatif-placements: whatif topologies/hgx-h200-4nic.xml --nodes 2 --all-placements --max-placements 3",
          "sweep-plan: sweep docs/sweep/rails.yaml --dry-run",
          "diff: diff topologies/dgx-h100.xml topologies/hgx-h200-4nic.xml",
          "diff: diff topologies/dgx-h100.xml topologies/hgx-h200-4nic.xml --collective sendrecv,alltoallv",
          "diff-fleet: diff topologies/dgx-h100.xml topologies/dgx-h100.xml topologies/dgx-a100.xml",
          "versions: show --nccl list",
          "machines: machines",
          "networks: predict --network list",
          "constants: calibrate --show",
          "constants: calibrate --show --network rdma",
          "upgrade: upgrade topologies/dgx-h100.xml --from 2.28.3 --to 2.28.9 --nodes 4",
          "upgrade: upgrade topologies/hgx-h200-4nic.xml --from 2.26.2 --to 2.28.9 --collective alltoall",
          "upgrade-fleet: upgrade topologies/dgx-h100.xml topologies/gh200.xml --from 2.28.3 --to 2.29.3",
          "split: predict topologies/dgx-1v.xml --split 0-2;3-7 --sizes 1M --collective all_reduce",
          "split: tune topologies/dgx-1v.xml --split 0-2;3-7 --sizes 1M",
          "split: explain topologies/dgx-1v.xml --split 0-2;3-7",
          "split: advise topologies/dgx-1v.xml --split 0-2;3-7 --sizes 1M",
          "split: whatif topologies/dgx-1v.xml 'remove nvlink:0-1' --split 0-2;3-7 --sizes 1M",
          "split: upgrade topologies/dgx-1v.xml --split 0-2;3-7 --nccl 2.27.5,2.28.9 --sizes 1M",
          "lint: lint src/test/resources/lint/link-speed.xml src/test/resources/lint/empty.xml",
          "lint-rules: lint --list-rules",
          "diagnose: diagnose src/test/resources/measured/h200-x4.csv --machine src/test/resources/measured/h200-x4.topo.xml",
          "diagnose-pairs: diagnose examples/pairs.csv",
          "place: place topologies/dgx-h100.xml --nodes 4 --fabric topologies/fabric/leaves-16.conf --group dp=%8",
          "memory: memory topologies/dgx-h100.xml --steps init,register --savings",
          "memory: memory topologies/dgx-h100.xml --against examples/memory.csv",
          "guest: guest topologies/dgx-h100.xml --guest examples/vm.lspci --vcpus 32");

  private static List<String> calls() {
    return CALLS;
  }

  static List<String> faults(String name, String document) throws IOException {
    Stream<String> faults =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(SCHEMAS.resolve(name + ".schema.json")), InputFormat.JSON)
            .validate(document, InputFormat.JSON)
            .stream()
            .map(fault -> fault.getInstanceLocation() + ": " + fault.getMessage());
    return Stream.concat(faults, JsonWordsTest.faults(document).stream()).toList();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void documentsHaveTheFieldsOfTheirSchema(String call) throws IOException {
    String name = call.substring(0, call.indexOf(':'));
    List<String> words = new ArrayList<>();
    for (String word : CliRun.words(call.substring(call.indexOf(':') + 1))) {
      boolean isFile =
          Stream.of("topologies/", "examples/", "docs/", "src/").anyMatch(word::startsWith);
      words.add(isFile ? ROOT.resolve(word).toString() : word);
    }
    words.addAll(List.of("--format", "json"));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertTrue(run.status() <= 1 || name.equals("check"), run.err());
    assertEquals(List.of(), faults(name, run.out()));
    for (JsonNode part : JsonMapper.shared().readTree(run.out()).path("communicators")) {
      JsonNode answer = part.path("document");
      if (!answer.isMissingNode()) {
        String kind = answer.get("schema").asString().split("/")[1];
        assertEquals(List.of(), faults(kind, answer.toString()));
      }
    }
  }

  @Test
  void theReviewedDocumentOfDoctorHasTheFieldsOfItsSchema() throws IOException {
    Path reviewed = ROOT.resolve("src/test/resources/doctor/expected.self.json");
    assertEquals(List.of(), faults("doctor", Files.readString(reviewed)));
  }

  @ParameterizedTest
  @CsvSource({
    "'\"ranks\" : 8', '\"ranks\" : \"8\"'",
    "'\"ranks\" : 8', '\"nRanks\" : 8'",
    "'\"type\" : \"GPU\"', '\"type\" : \"TPU\"'",
    "topo/show/2, topo/show/1"
  })
  void otherDocumentsAreRefused(String right, String wrong) throws IOException {
    String document =
        CliRun.of("show", ROOT.resolve("topologies/dgx-h100.xml").toString(), "--format", "json")
            .out();
    assertTrue(document.contains(right), right);
    assertFalse(faults("show", document.replaceFirst(right, wrong)).isEmpty(), wrong);
  }

  /** Every command with JSON has a call here, and every schema, too. */
  @Test
  void everyCommandWithJsonHasASchema() throws IOException {
    Set<String> withJson = new TreeSet<>();
    List<String> commands =
        COMMAND.matcher(CliRun.of("--help").out()).results().map(one -> one.group(1)).toList();
    for (String command : commands) {
      if (CliRun.of(command, "--help").out().matches("(?s).*--format[^-]*\\bjson\\b.*")) {
        withJson.add(command);
      }
    }
    assertTrue(withJson.size() >= 12, withJson.toString());
    Set<String> called =
        CALLS.stream().map(call -> call.split(" ", 3)[1]).collect(Collectors.toSet());
    called.addAll(List.of("doctor", "run"));
    withJson.removeAll(called);
    assertEquals(Set.of(), withJson);

    Set<String> names =
        CALLS.stream()
            .map(call -> call.substring(0, call.indexOf(':')))
            .collect(Collectors.toCollection(TreeSet::new));
    names.add("doctor");
    names.addAll(CHECKED_ELSEWHERE);
    try (Stream<Path> files = Files.list(SCHEMAS)) {
      assertEquals(
          names,
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".schema.json"))
              .map(file -> file.replace(".schema.json", ""))
              .collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  /** Each job of a scaling table has the fields of a prediction for one number of nodes. */
  @Test
  void theJobsOfScalingAreThoseOfPredict() throws IOException {
    JsonNode predict = schema("predict");
    JsonNode scaling = schema("predict-scaling");
    predict
        .at("/$defs")
        .properties()
        .forEach(entry -> assertEquals(entry.getValue(), scaling.at("/$defs/" + entry.getKey())));
    predict
        .at("/properties")
        .properties()
        .forEach(
            entry -> {
              if (!Set.of("schema", "topo", "nccl", "command", "inputs", "answer")
                  .contains(entry.getKey())) {
                assertEquals(
                    entry.getValue(), scaling.at("/$defs/Job/properties/" + entry.getKey()));
              }
            });
  }

  private static JsonNode schema(String name) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(SCHEMAS.resolve(name + ".schema.json")));
  }

  @Test
  void aDocumentNamesItsCommandLineAndTheHashesOfItsInputs(@TempDir Path folder)
      throws IOException {
    Path file = Files.copy(ROOT.resolve("topologies/dgx-1v.xml"), folder.resolve("a b.xml"));
    CliRun run = CliRun.of("paths", file.toString(), "--format", "json");
    JsonNode document = JsonMapper.shared().readTree(run.out());
    assertEquals("topo paths '" + file + "' --format json", document.at("/command").asString());
    assertEquals(1, document.at("/inputs").size());
    assertEquals(file.toString(), document.at("/inputs/0/file").asString());
    assertEquals(
        "48ad33b3bae133b25add5b4e34a3752b58a7baa4cd3e5df08949f675a88ccad5",
        document.at("/inputs/0/sha256").asString());
  }

  @Test
  void aDocumentWithoutInputsSaysSo() {
    JsonNode document =
        JsonMapper.shared().readTree(CliRun.of("lint", "--list-rules", "--format", "json").out());
    assertEquals("[]", document.at("/inputs").toString());
  }

  /** An object that allows other fields would let undocumented ones pass. */
  @Test
  void schemasAllowNoFieldThatTheyDoNotName() throws IOException {
    String index = Files.readString(SCHEMAS.resolve("README.md"));
    try (Stream<Path> files = Files.list(SCHEMAS)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).toList()) {
        JsonNode schema = JsonMapper.shared().readTree(Files.readString(file));
        String name = file.getFileName().toString().replace(".schema.json", "");
        if (!name.equals(INPUT)) {
          assertEquals(Json.schema(name), schema.at("/properties/schema/const").asString());
        }
        assertTrue(index.contains("(" + file.getFileName() + ")"), file + " is not in the index");
        assertClosed(schema, file.toString());
      }
    }
  }

  private static void assertClosed(JsonNode node, String place) {
    if (node.isObject()
        && node.has("properties")
        && node.path("type").asString("").equals("object")) {
      assertTrue(node.has("additionalProperties"), place);
      assertFalse(node.get("additionalProperties").asBoolean(), place);
    }
    for (JsonNode child : node) {
      assertClosed(child, place);
    }
  }
}
