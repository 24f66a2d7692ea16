package dev.topo.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Growth;
import dev.topo.model.job.SettingCatalog.NcclSetting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SettingCatalogTest {
  @ParameterizedTest
  @MethodSource("dev.topo.model.job.SettingCatalog#all")
  void everySettingIsFoundByItsNameAndSaysWhatItExpects(NcclSetting setting) {
    assertTrue(setting.name().matches("(NCCL|TOPO|FI)_[A-Z0-9_]+"), setting.name());
    assertFalse(setting.expected().isBlank(), setting.name());
    assertEquals(setting, SettingCatalog.find(setting.name()).orElseThrow());
    assertEquals(setting.name(), SettingCatalog.similarTo(setting.name()).get(0));
  }

  @Test
  void settingsStandInTheOrderOfTheirNames() {
    List<String> names = SettingCatalog.all().stream().map(NcclSetting::name).toList();
    assertEquals(names.stream().sorted().distinct().toList(), names);
  }

  @Test
  void suggestsTheClosestFirstAndAtMostThree() {
    assertEquals("NCCL_MIN_NCHANNELS", SettingCatalog.similarTo("NCCL_MIN_NCHANEL").get(0));
    assertEquals(
        List.of("NCCL_MIN_NRINGS", "NCCL_MAX_NRINGS"), SettingCatalog.similarTo("NCCL_MXN_NRINGS"));
    assertTrue(SettingCatalog.similarTo("NCCL_IB_T").size() <= 3);
  }

  @Test
  void twoLettersInTheWrongOrderAreOneMistake() {
    assertEquals(List.of("NCCL_ALGO"), SettingCatalog.similarTo("NCCL_AGLO"));
  }

  @Test
  void suggestsNothingForWhatIsFarFromEverything() {
    assertEquals(List.of(), SettingCatalog.similarTo("LD_LIBRARY_PATH"));
    assertTrue(SettingCatalog.find("nccl_algo").isEmpty());
  }

  @Test
  void aNameMuchLongerThanAnySettingIsNotComparedWithThem() {
    String name = "NCCL_CROSS" + "X".repeat(10_000);

    long before = Growth.bytesAllocated();
    List<String> similar = SettingCatalog.similarTo(name);
    long bytes = Growth.bytesAllocated() - before;

    assertEquals(List.of(), similar);
    assertTrue(bytes < 1 << 20, bytes + " bytes allocated");
  }
}
