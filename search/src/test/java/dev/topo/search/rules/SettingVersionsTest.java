package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.search.engine.ChannelPlan.ChannelLimits;
import dev.topo.search.rules.SettingVersions.SettingNotes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

  /** By hand from the sources of NCCL 2.28.9. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NCCL_MAX_NCHANNELS=0|takes NCCL_MAX_NCHANNELS=0 for 1, expected 1 to 64",
        "NCCL_MAX_NCHANNELS=65|takes NCCL_MAX_NCHANNELS=65 for 64, expected 1 to 64",
        "NCCL_MAX_NCHANNELS=-2|",
        "NCCL_MAX_NRINGS=0|takes NCCL_MAX_NRINGS=0 for 1, expected 1 to 64",
        "NCCL_MIN_NCHANNELS=100|takes NCCL_MIN_NCHANNELS=100 for 64, expected 0 to 64",
        "NCCL_MIN_NCHANNELS=-1|takes NCCL_MIN_NCHANNELS=-1 for 0, expected 0 to 64",
        "NCCL_MIN_NCHANNELS=64|",
        "NCCL_NTHREADS=100|takes NCCL_NTHREADS=100 for 512, expected a multiple of 32 from 64 to 512",
        "NCCL_NTHREADS=32|takes NCCL_NTHREADS=32 for 64, expected a multiple of 32 from 64 to 512",
        "NCCL_NTHREADS=1024|takes NCCL_NTHREADS=1024 for 512, expected a multiple of 32 from 64 to 512",
        "NCCL_NTHREADS=0|ignores NCCL_NTHREADS=0, expected a multiple of 32 from 64 to 512",
        "NCCL_NTHREADS=256|",
        "NCCL_LL128_NTHREADS=128|takes NCCL_LL128_NTHREADS=128 for 160, expected a multiple of 32 from 160 to 640",
        "NCCL_MAX_CTAS=0|ignores NCCL_MAX_CTAS=0, expected 1 to 64",
        "NCCL_MIN_CTAS=65|takes NCCL_MIN_CTAS=65 for 64, expected 1 to 64",
        "NCCL_CROSS_NIC=3|takes NCCL_CROSS_NIC=3 for 0 where it searches for channels, expected 0, 1 or 2",
        "NCCL_CROSS_NIC=-1|takes NCCL_CROSS_NIC=-1 for 0 where it searches for channels, expected 0, 1 or 2",
        "NCCL_CROSS_NIC=2|",
      })
  void valuesThatNcclCorrectsAreNoted(String setting, @Nullable String expected) {
    NcclSettings settings = NcclSettings.parse(List.of(setting));
    assertEquals(
        expected == null ? List.of() : List.of("note: NCCL " + expected),
        SettingNotes.corrected(settings, NcclProfile.DEFAULT));
  }

  /** The answer is that of the value in the note; versions differ in the most channels. */
  @ParameterizedTest
  @CsvSource({
    "2.19.3, NCCL_MIN_NCHANNELS, 100",
    "2.28.9, NCCL_MIN_NCHANNELS, 100",
    "2.28.9, NCCL_MIN_NCHANNELS, -7",
    "2.19.3, NCCL_MAX_NCHANNELS, 0",
    "2.28.9, NCCL_MAX_NCHANNELS, 0",
    "2.19.3, NCCL_MAX_CTAS, 100",
    "2.28.9, NCCL_MIN_CTAS, 100"
  })
  void theChannelsAreThoseOfTheNote(String version, String name, String value) {
    NcclProfile profile = NcclProfile.of(version);
    NcclSettings stated = NcclSettings.parse(List.of(name + "=" + value));
    String note = SettingNotes.corrected(stated, profile).get(0);
    String taken = note.replaceFirst(".* for (\\d+), expected .*", "$1");
    NcclSettings corrected = NcclSettings.parse(List.of(name + "=" + taken));
    assertEquals(List.of(), SettingNotes.corrected(corrected, profile), note);
    assertEquals(
        ChannelLimits.of(corrected, profile.connect()),
        ChannelLimits.of(stated, profile.connect()),
        note);
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
