package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.SettingVersions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A setting that is named with the value that NCCL takes without it changes no answer. */
class DefaultSettingsTest {
  private static final Path MACHINES = Path.of(System.getProperty("topo.root"), "topologies");

  /** Defaults that depend on no release and that code, not the rules of a release, states. */
  private static final List<String> OF_CODE =
      List.of(
          "NCCL_NTHREADS=512",
          "NCCL_NTHREADS=-2",
          "NCCL_LL128_NTHREADS=640",
          "NCCL_BUFFSIZE=4194304",
          "NCCL_NVLS_CHUNKSIZE=131072",
          "NCCL_P2P_DISABLE=0",
          "NCCL_MIN_NCHANNELS=-2",
          "NCCL_MAX_NCHANNELS=-2",
          "NCCL_NET_OVERHEAD=-2");

  private static String without(String json, String setting) {
    return json.replaceAll("(?m)^ *\"command\" : .*$", "")
        .replaceAll("\"" + setting + "\" : \"[^\"]*\",?", "")
        .replaceAll("(?m)\"settings\" : \\{\\s*\\}", "")
        .replaceAll("\\s+", " ");
  }

  private static String answer(String command, String machine, String nodes, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                command,
                MACHINES.resolve(machine + ".xml").toString(),
                "--nodes=" + nodes,
                "--collective=all_reduce,reduce,all_gather",
                "--sizes=64K,1G",
                "--format=json"));
    words.addAll(List.of(more));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    return run.status() + run.out();
  }

  @Test
  void namingADefaultChangesNoAnswer() {
    List<String> machines = List.of("dgx-a100", "dgx-h100", "hgx-b200", "a100-4-slingshot");
    for (int seed = 0; seed < RandomCases.count(40, 300); seed++) {
      Random random = new Random(Long.getLong("test.seed", 1) + seed);
      String release = NcclProfile.versions().get(random.nextInt(NcclProfile.versions().size()));
      NcclProfile profile = NcclProfile.of(release);
      List<String> defaults = new ArrayList<>(OF_CODE);
      // Whether NCCL merges ports is not known without a setting: naming one states it.
      profile.settingDefaults().values().entrySet().stream()
          .filter(setting -> !NcclSettings.MERGING.contains(setting.getKey()))
          .filter(setting -> SettingVersions.absence(setting.getKey(), profile).isEmpty())
          .forEach(setting -> defaults.add(setting.getKey() + "=" + setting.getValue()));
      String setting = defaults.get(random.nextInt(defaults.size()));
      String name = setting.substring(0, setting.indexOf('='));
      String machine = machines.get(random.nextInt(machines.size()));
      String nodes = String.valueOf(1 + random.nextInt(2));
      String command = random.nextBoolean() ? "predict" : "tune";
      assertEquals(
          without(answer(command, machine, nodes, "--nccl=" + release), name),
          without(answer(command, machine, nodes, "--nccl=" + release, "--env=" + setting), name),
          "%s %s x %s %s %s (seed %d)".formatted(command, machine, nodes, release, setting, seed));
    }
  }

  @Test
  void threadsThatAreTheDefaultDoNotWidenTheRange() {
    String usual = answer("predict", "dgx-a100", "1");
    assertEquals(
        without(usual, "NCCL_NTHREADS"),
        without(answer("predict", "dgx-a100", "1", "--env=NCCL_NTHREADS=512"), "NCCL_NTHREADS"));
    String few = answer("predict", "dgx-a100", "1", "--env=NCCL_NTHREADS=256");
    assertTrue(few.contains("the range is twice as wide"), few);
    assertFalse(usual.contains("the range is twice as wide"), usual);
  }
}
