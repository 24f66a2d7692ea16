package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
