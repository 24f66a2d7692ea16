package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.SettingException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LauncherReaderTest {
  private static final Map<String, String> OPEN_MPI =
      Map.of(
          "OMPI_COMM_WORLD_RANK", "3",
          "OMPI_COMM_WORLD_SIZE", "4",
          "OMPI_COMM_WORLD_LOCAL_RANK", "3",
          "OMPI_COMM_WORLD_LOCAL_SIZE", "4",
          "PMIX_NAMESPACE", "prterun-host-77@1");

  private static Optional<LaunchedProcess> read(Map<String, String> environment) {
    return LauncherReader.read(environment, "10.1.2.3");
  }

  private static Map<String, String> with(Map<String, String> map, String name, String value) {
    Map<String, String> changed = new HashMap<>(map);
    changed.put(name, value);
    return changed;
  }

  @Test
  void withoutALauncherThereIsOneProcess() {
    assertEquals(Optional.empty(), read(Map.of("HOME", "/root")));
  }

  @Test
  void openMpiOnOneHostMeetsThere() {
    LaunchedProcess launched = read(OPEN_MPI).orElseThrow();
    assertEquals(3, launched.index());
    assertEquals(4, launched.size());
    assertEquals(3, launched.localIndex());
    assertTrue(launched.meetingPoint().orElseThrow().matches("10\\.1\\.2\\.3:[23]\\d{4}"));
    assertEquals(launched, read(OPEN_MPI).orElseThrow(), "the same for all ranks");
  }

  @Test
  void openMpiOnSeveralHostsNeedsAnAddress() {
    Map<String, String> two = with(OPEN_MPI, "OMPI_COMM_WORLD_LOCAL_SIZE", "2");
    SettingException e = assertThrows(SettingException.class, () -> read(two));
    assertTrue(e.getMessage().contains("NCCL_COMM_ID=ADDRESS:PORT"), e.getMessage());
    LaunchedProcess launched = read(with(two, "NCCL_COMM_ID", "10.0.0.1:23456")).orElseThrow();
    assertEquals(Optional.of("10.0.0.1:23456"), launched.meetingPoint());
  }

  @Test
  void torchrunMeetsBesideItsStore() {
    Map<String, String> torch =
        Map.of(
            "RANK", "1",
            "WORLD_SIZE", "2",
            "LOCAL_RANK", "1",
            "MASTER_ADDR", "fd00::1",
            "MASTER_PORT", "29500");
    LaunchedProcess launched = read(torch).orElseThrow();
    assertEquals(Optional.of("[fd00::1]:29501"), launched.meetingPoint());
  }

  @Test
  void srunMeetsOnTheFirstHost() {
    Map<String, String> slurm =
        Map.of(
            "SLURM_PROCID", "9",
            "SLURM_STEP_NUM_TASKS", "16",
            "SLURM_LOCALID", "1",
            "SLURM_STEP_NODELIST", "gpu[003-004],login1",
            "SLURM_JOB_ID", "4711",
            "SLURM_STEP_ID", "0");
    LaunchedProcess launched = read(slurm).orElseThrow();
    assertEquals(9, launched.index());
    assertTrue(launched.meetingPoint().orElseThrow().startsWith("gpu003:"));
  }

  @Test
  void aBatchScriptOfSlurmIsOneProcess() {
    assertEquals(Optional.empty(), read(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "8")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node1|node1",
        "node1,node2|node1",
        "node[03-07,12]|node03",
        "rack[1,3]-n,x|rack1-n",
        "a,node[1-2]|a"
      })
  void theFirstHostOfAListIsFound(String hosts, String first) {
    assertEquals(first, LauncherReader.firstHost(hosts));
  }

  @Test
  void whatDoesNotFitIsSaid() {
    assertEquals(
        "OMPI_COMM_WORLD_RANK=4 with OMPI_COMM_WORLD_SIZE=4: expected a number below the size",
        message(with(OPEN_MPI, "OMPI_COMM_WORLD_RANK", "4")));
    assertEquals(
        "OMPI_COMM_WORLD_SIZE=four: expected a number",
        message(with(OPEN_MPI, "OMPI_COMM_WORLD_SIZE", "four")));
  }

  /** Values that a launcher does not set: each is refused in one line, or is a process. */
  @Test
  void whateverAVariableHasItIsRefusedOrAProcess() {
    Map<String, String> torch =
        Map.of(
            "RANK",
            "1",
            "WORLD_SIZE",
            "4",
            "LOCAL_RANK",
            "1",
            "MASTER_ADDR",
            "h",
            "MASTER_PORT",
            "29500");
    Map<String, String> srun =
        Map.of(
            "SLURM_PROCID",
            "1",
            "SLURM_STEP_NUM_TASKS",
            "4",
            "SLURM_LOCALID",
            "1",
            "SLURM_STEP_NODELIST",
            "n[1-2]");
    List<String> values =
        List.of("", "-1", "0", "3", "4", "65535", "65536", "2147483648", "NaN", "1 ", "n[", "]");
    int processes = 0;
    for (Map<String, String> launcher : List.of(OPEN_MPI, torch, srun)) {
      for (String name : launcher.keySet()) {
        for (String value : values) {
          processes += isProcess(with(launcher, name, value)) ? 1 : 0;
        }
      }
    }
    assertTrue(processes > 20, processes + " processes");
  }

  private static boolean isProcess(Map<String, String> environment) {
    try {
      read(environment)
          .ifPresent(
              one -> {
                assertTrue(one.index() >= 0 && one.index() < one.size(), environment.toString());
                assertTrue(
                    one.localIndex() >= 0 && one.localIndex() < one.size(), environment.toString());
              });
      return true;
    } catch (SettingException e) {
      assertEquals(1, String.valueOf(e.getMessage()).lines().count(), e.getMessage());
      return false;
    }
  }

  private static String message(Map<String, String> environment) {
    return assertThrows(SettingException.class, () -> read(environment)).getMessage();
  }
}
