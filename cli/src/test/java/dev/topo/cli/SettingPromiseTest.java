package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingCatalog.NcclSetting;
import dev.topo.model.job.SettingCatalog.NcclSetting.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an answer says of a setting holds: one that is ignored or not modelled changes no number,
 * and one that NCCL could not use is refused. {@code -Dtopo.test.thorough=true} tries every setting
 * with every value in every call.
 */
class SettingPromiseTest {
  private static final boolean THOROUGH = Boolean.getBoolean("topo.test.thorough");
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String EACH = " --format csv --sizes 64M";

  /** Calls whose answers depend on different parts of the model. */
  private static final List<String> CALLS =
      List.of(
          "predict DGX --nodes 2 --collective all_reduce,all_gather,alltoall" + EACH,
          "predict DGX --nodes 2 --collective all_reduce --fabric LEAVES --hosts n[00,04]" + EACH,
          "predict HGX --collective all_reduce,alltoall --cuda-graph" + EACH,
          "predict HGX --collective all_reduce,broadcast --buffers registered" + EACH,
          "tune HGX --collective all_reduce,broadcast --buffers registered,symmetric" + EACH,
          "tune TRAY --nodes 2 --nvlink-domain 2 --collective all_reduce" + EACH);

  private static final List<String> NUMBERS = List.of("0", "1", "-1", "2", "2147483647");

  /** Read by a job, or refused with what is in them. */
  private static final Set<String> READ =
      Set.of("NCCL_TOPO_FILE", "NCCL_NET_FORCE_MERGE", "NCCL_IB_DISABLE", "NCCL_IB_HCA");

  private static List<NcclSetting> notModelled() {
    return SettingCatalog.all().stream()
        .filter(setting -> !setting.scope().isModelled() && !READ.contains(setting.name()))
        .toList();
  }

  private static CliRun run(String call, List<String> settings) {
    List<String> words =
        new ArrayList<>(
            CliRun.words(
                call.replace("DGX", machine("dgx-h100"))
                    .replace("TRAY", machine("gb200-tray"))
                    .replace("HGX", machine("hgx-h200-4nic"))
                    .replace("LEAVES", ROOT.resolve("topologies/fabric/leaves-16.conf") + "")));
    settings.forEach(setting -> words.addAll(List.of("--env", setting)));
    return CliRun.of(words.toArray(String[]::new));
  }

  private static String machine(String name) {
    return ROOT.resolve("topologies/" + name + ".xml").toString();
  }

  /** An answer without its column of caveats. */
  private static String numbers(CliRun run) {
    assertEquals(0, run.status(), run.err());
    int caveats = run.out().lines().findFirst().orElseThrow().indexOf(",caveats");
    long columns =
        run.out().lines().findFirst().orElseThrow().chars().filter(c -> c == ',').count();
    return run.out()
        .lines()
        .map(line -> caveats < 0 ? line : line.replaceFirst("(([^,]*,){" + columns + "}).*", "$1"))
        .map(line -> line.replaceFirst(",+$", ""))
        .collect(Collectors.joining("\n"));
  }

  /** Whether an answer says that it is the same without a setting. */
  private static boolean isPromised(CliRun run, String setting) {
    String name = setting.substring(0, setting.indexOf('='));
    boolean isCaveat =
        run.out()
            .lines()
            .anyMatch(
                line ->
                    line.contains("setting: ")
                        && line.contains("not modelled; the answer is the one without it")
                        && line.matches(".*[ ,]" + Pattern.quote(setting) + "[,:].*"));
    return isCaveat || run.err().contains(" " + name + " ignored");
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"1, 1", "2147483647, x"})
  void settingsThatAreNotModelledChangeNoNumber(String number, String text) {
    List<String> all =
        notModelled().stream()
            .map(one -> one.name() + "=" + (one.kind() == Kind.TEXT ? text : number))
            .toList();
    for (int i = 0; i < CALLS.size(); i++) {
      if (!THOROUGH && i % 2 == 0 != text.equals("x")) {
        continue;
      }
      String call = CALLS.get(i);
      CliRun together = run(call, all);
      List<String> promised = all.stream().filter(one -> isPromised(together, one)).toList();
      assertTrue(promised.size() > all.size() / 2, call + together.err());
      assertEquals(numbers(run(call, List.of())), numbers(run(call, promised)), call);
    }
  }

  /** Every setting with every value by itself, also those that are modelled: none is a bug. */
  @Test
  void eachSettingChangesNothingWhereTheAnswerSaysSo() {
    List<NcclSetting> tried = THOROUGH ? List.copyOf(SettingCatalog.all()) : List.of();
    Map<String, String> without = new TreeMap<>();
    for (NcclSetting setting : tried) {
      for (String value : values(setting)) {
        String assignment = setting.name() + "=" + value;
        for (String call : CALLS) {
          CliRun run = run(call, List.of(assignment));
          assertTrue(run.status() <= 3, assignment + " " + call + ": " + run.err());
          if (run.status() == 0 && isPromised(run, assignment)) {
            assertEquals(
                without.computeIfAbsent(call, one -> numbers(run(one, List.of()))),
                numbers(run),
                assignment + " " + call);
          }
        }
      }
    }
  }

  private static List<String> values(NcclSetting setting) {
    List<String> values = new ArrayList<>(NUMBERS);
    switch (setting.kind()) {
      case PATH_LEVEL -> values.addAll(List.of("LOC", "SYS"));
      case INTEGER64 -> values.addAll(List.of("9223372036854775807", "-9223372036854775808"));
      case TEXT -> values.addAll(List.of("x", "", "Socket"));
      case INTEGER -> {}
    }
    values.removeIf(value -> setting.kind() == Kind.PATH_LEVEL && value.startsWith("-"));
    return values;
  }

  /** Times follow the chunks of multicast, with a range twice as wide, and the answer says so. */
  @ParameterizedTest
  @CsvSource({
    "NCCL_NVLS_CHUNKSIZE=16384, 1, NVLS",
    "NCCL_NVLS_CHUNKSIZE=16384, 4, NVLSTree",
    "NCCL_NVLSTREE_MAX_CHUNKSIZE=16384, 4, NVLSTree"
  })
  void timesFollowTheChunksOfMulticast(String setting, int nodes, String algorithm) {
    String call = "predict DGX --collective all_reduce --sizes 256M --format json --nodes " + nodes;
    CliRun run = run(call, List.of(setting));
    JsonNode usual = prediction(run(call, List.of()));
    JsonNode small = prediction(run);
    assertEquals(algorithm, small.get("algorithm").asString());
    assertTrue(time(small, "timeUs") > time(usual, "timeUs"), run.out());
    assertEquals(2, part(small) / part(usual), 0.01, run.out());
    assertTrue(run.out().contains("own channels and chunks only"), run.out());
    assertFalse(isPromised(run, setting), run.out());
  }

  private static JsonNode prediction(CliRun run) {
    return JsonMapper.shared().readTree(run.out()).get("predictions").get(0);
  }

  /** What a prediction is off by at most, by its range. */
  private static double part(JsonNode prediction) {
    return time(prediction, "timeUs") / time(prediction, "timeLowUs") - 1;
  }

  private static double time(JsonNode prediction, String name) {
    return prediction.get(name).asDouble();
  }

  /** The settings that times follow under an option have no caveat with it. */
  @ParameterizedTest
  @CsvSource({
    "NCCL_GRAPH_REGISTER=0, predict HGX --collective broadcast --sizes 256M --format csv, --cuda-graph",
    "NCCL_LOCAL_REGISTER=0, predict HGX --collective broadcast --sizes 256M --format csv, --buffers registered",
  })
  void whatTimesFollowIsNotSaidToBeIgnored(String setting, String call, String option) {
    CliRun with = run(call + " " + option, List.of(setting));
    assertFalse((with.out() + with.err()).contains("NCCL_"), with.out() + with.err());
    assertNotEquals(numbers(run(call + " " + option, List.of())), numbers(with));
    CliRun without = run(call, List.of(setting));
    assertTrue(isPromised(without, setting), without.out());
    assertEquals(numbers(run(call, List.of())), numbers(without));
  }

  @Test
  void aClusterOfNoneEndsTheDomainAndIsNotIgnored() {
    String call = "tune TRAY --nodes 2 --nvlink-domain 2 --collective all_reduce" + EACH;
    CliRun run = run(call, List.of("NCCL_MNNVL_UUID=0"));
    assertEquals("", run.err());
    assertNotEquals(numbers(run(call, List.of())), numbers(run));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NCCL_NET=Socket", "NCCL_IB_DISABLE=1", "NCCL_IB_DISABLE=2x"})
  void socketsAreSaidToChangeTimes(String setting) {
    String call = "predict DGX --nodes 2 --collective all_reduce" + EACH;
    CliRun run = run(call, List.of(setting));
    assertFalse(isPromised(run, setting), run.out());
    assertTrue(run.out().contains("except that times between nodes are those of TCP"), run.out());
    assertNotEquals(numbers(run(call, List.of())), numbers(run));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NCCL_BUFFSIZE=9223372036854775807|setting NCCL_BUFFSIZE=9223372036854775807: NCCL keeps 32 bits of it, which are -1; expected a number from -2147483648 to 2147483647",
        "NCCL_CROSS_NIC=4294967296|setting NCCL_CROSS_NIC=4294967296: NCCL keeps 32 bits of it, which are 0; expected a number from -2147483648 to 2147483647",
        "NCCL_BUFFSIZE=127|NCCL_BUFFSIZE=127: nothing fits into a step of it, expected 128 or more",
        "NCCL_NVLS_CHUNKSIZE=1|NCCL_NVLS_CHUNKSIZE=1: NCCL rounds it down to 0 bytes and divides by it, expected 512 or more",
        "NCCL_NVLSTREE_MAX_CHUNKSIZE=-1|NCCL_NVLSTREE_MAX_CHUNKSIZE=-1: NCCL rounds it down to 0 bytes and divides by it, expected 512 or more",
        "NCCL_P2P_NET_CHUNKSIZE=536870912|NCCL_P2P_NET_CHUNKSIZE=536870912: expected at most 268435455, as NCCL multiplies it in 32 bits",
        "NCCL_MIN_P2P_NCHANNELS=2147483647|NCCL_MIN_P2P_NCHANNELS=2147483647: expected at most 1073741824, as NCCL rounds it up to a power of two in 32 bits",
        "NCCL_P2P_SCHEDULE_GROUP_SIZE=0|NCCL_P2P_SCHEDULE_GROUP_SIZE=0: expected a number from 1",
        "NCCL_CHUNK_SIZE=-1|NCCL_CHUNK_SIZE=-1: expected a number from 0",
      })
  void whatNcclCannotUseIsRefusedAlikeByEveryCommand(String setting, String message) {
    for (String command : List.of("search", "connect", "tune", "predict", "explain", "report")) {
      CliRun run = run(command + " DGX --nodes 2", List.of(setting));
      assertEquals(2, run.status(), command);
      assertEquals("topo: " + message + "\n", run.err(), command);
      assertEquals("", run.out(), command);
    }
    CliRun run = run("whatif DGX 'env " + setting + "' --nodes 2", List.of());
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().endsWith(message + "\n"), run.err());
  }
}
