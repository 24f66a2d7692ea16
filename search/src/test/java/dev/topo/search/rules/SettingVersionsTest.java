package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingVersionsTest {
  private static final NcclProfile OLD = NcclProfile.of("2.21.5");
  private static final NcclProfile NEW = NcclProfile.of("2.30.7");

  @Test
  void aSettingOfNewerVersionsIsIgnored() {
    NcclSettings pat = NcclSettings.parse(List.of("NCCL_PAT_ENABLE=0"));
    assertEquals(Optional.of("came with 2.23.4"), SettingVersions.absence("NCCL_PAT_ENABLE", OLD));
    assertEquals(Optional.empty(), SettingVersions.absence("NCCL_PAT_ENABLE", NEW));
    assertEquals(OLD.settingDefaults(), OLD.complete(pat));
    assertEquals(0, NEW.complete(pat).integer("NCCL_PAT_ENABLE", 1));
  }

  @Test
  void aSettingThatWentIsNamedWithItsLastVersion() {
    assertEquals(
        Optional.of("was in NCCL up to 2.30.3"),
        SettingVersions.absence("NCCL_SHM_MEMCPY_MODE", NEW));
    assertEquals(Optional.empty(), SettingVersions.absence("NCCL_SHM_MEMCPY_MODE", OLD));
  }

  /** Names in the sources of each version, those of 2.31.2 in its library. */
  @ParameterizedTest
  @CsvSource({
    "NCCL_IB_EVENT_BASED_LB, 2.30.7, came with 2.31.2",
    "NCCL_IB_EVENT_BASED_LB, 2.31.2, ''",
    "NCCL_TOPO_SCATTER_START_NET, 2.30.7, came with 2.31.2",
    "NCCL_SET_THREAD_NAME, 2.30.7, ''",
    "NCCL_NO_CACHE, 2.30.7, ''",
    "NCCL_NO_CACHE, 2.29.3, came with 2.29.7",
    "NCCL_SYM_REUSE_SYSMEM_HANDLES, 2.30.3, came with 2.30.7",
    "NCCL_WORK_FIFO_DEPTH, 2.21.5, ''",
    "NCCL_WORK_FIFO_DEPTH, 2.22.3, was in NCCL up to 2.21.5",
    "NCCL_PROXY_PROFILE, 2.23.4, was in NCCL up to 2.22.3",
    "NCCL_AGG_CHANNEL_SIZE, 2.20.5, was in NCCL up to 2.19.3"
  })
  void versionsHaveTheSettingsOfTheirSources(String name, String version, String absence) {
    assertEquals(
        absence, SettingVersions.absence(name, NcclProfile.of(version)).orElse(""), version);
    assertTrue(SettingCatalog.find(name).isPresent());
  }

  @Test
  void theTableHasKnownSettingsAndVersions() {
    List<String> versions = NcclProfile.versions();
    for (String line : ResourceTable.lines(SettingVersions.class, "settings.txt")) {
      List<String> words = List.of(line.split(" +"));
      assertTrue(SettingCatalog.find(words.get(0)).isPresent(), line);
      assertTrue(versions.containsAll(words.subList(1, words.size())), line);
    }
  }
}
