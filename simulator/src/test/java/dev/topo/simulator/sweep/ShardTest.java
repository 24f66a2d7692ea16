package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.SettingException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShardTest {
  private static Shard of(String text, Map<String, String> environment) {
    return Shard.of(Optional.of(text).filter(one -> !one.isEmpty()), environment);
  }

  @Test
  void shardsHaveEachPartOnce() {
    Set<Integer> parts = new HashSet<>();
    for (int index = 1; index <= 7; index++) {
      for (int part : new Shard(index, 7).parts(40)) {
        assertTrue(parts.add(part), "part " + part);
      }
    }
    assertEquals(40, parts.size());
  }

  @Test
  void theVariablesOfSchedulersAreTheDefault() {
    assertEquals(Shard.ALL, of("", Map.of()));
    assertEquals(new Shard(2, 7), of("2/7", Map.of("SLURM_ARRAY_TASK_ID", "5")));
    Map<String, String> slurm =
        Map.of(
            "SLURM_ARRAY_TASK_ID", "14",
            "SLURM_ARRAY_TASK_MIN", "10",
            "SLURM_ARRAY_TASK_STEP", "2",
            "SLURM_ARRAY_TASK_COUNT", "4");
    assertEquals(new Shard(3, 4), of("", slurm));
    assertEquals(new Shard(3, 9), of("/9", slurm));
    assertEquals(new Shard(1, 4), of("/4", Map.of("JOB_COMPLETION_INDEX", "0")));
  }

  @Test
  void whatIsNoShardIsNamed() {
    for (String text : new String[] {"0/4", "5/4", "x", "1/0", "/4", "1/"}) {
      SettingException e = assertThrows(SettingException.class, () -> of(text, Map.of()));
      assertTrue(String.valueOf(e.getMessage()).contains("shard"), e.getMessage());
    }
    SettingException e =
        assertThrows(SettingException.class, () -> of("", Map.of("JOB_COMPLETION_INDEX", "3")));
    assertTrue(String.valueOf(e.getMessage()).contains("shard /N"), e.getMessage());
  }
}
