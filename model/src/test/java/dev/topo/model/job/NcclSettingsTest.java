package dev.topo.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.job.NcclSettings.NetDevsPolicy;
import dev.topo.model.job.SettingCatalog.SettingScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NcclSettingsTest {
  private static NcclSettings of(String... assignments) {
    return NcclSettings.parse(List.of(assignments));
  }

  private static String refusal(String assignment) {
    return String.valueOf(assertThrows(SettingException.class, () -> of(assignment)).getMessage());
  }

  @Test
  void defaultsAreNccls() {
    NcclSettings defaults = NcclSettings.DEFAULTS;
    assertEquals(Map.of(), defaults.values());
    assertEquals(Optional.empty(), defaults.p2pLevel());
    assertTrue(defaults.sharedMemory());
    assertEquals(Optional.empty(), defaults.gdrLevel());
    assertTrue(defaults.gdrOverC2c());
    assertTrue(defaults.networkInsideNode());
    assertTrue(defaults.nvlinkThroughGpu());
    assertTrue(defaults.pxn());
    assertTrue(defaults.pxnOverC2c());
    assertEquals(2, defaults.crossNic());
    assertEquals(2, defaults.nvlsEnable());
    assertFalse(defaults.collNet());
    assertTrue(defaults.scatterNets());
    assertEquals(NetDevsPolicy.AUTO, defaults.netDevsPolicy());
  }

  @Test
  void settingsChangeWhatTheyAreNamedFor() {
    assertFalse(of("NCCL_SHM_DISABLE=1").sharedMemory());
    assertFalse(of("NCCL_NET_GDR_C2C=0").gdrOverC2c());
    assertFalse(of("NCCL_NET_DISABLE_INTRA=1").networkInsideNode());
    assertFalse(of("NCCL_NVB_DISABLE=1").nvlinkThroughGpu());
    assertFalse(of("NCCL_PXN_DISABLE=1").pxn());
    assertFalse(of("NCCL_PXN_C2C=0").pxnOverC2c());
    assertEquals(0, of("NCCL_CROSS_NIC=0").crossNic());
    assertEquals(1, of("NCCL_NVLS_ENABLE=1").nvlsEnable());
    assertTrue(of("NCCL_COLLNET_ENABLE=1").collNet());
    assertFalse(of("NCCL_MNNVL_SCATTER_NETS_ENABLE=0").scatterNets());
    assertEquals(
        new NetDevsPolicy(NetDevsPolicy.Kind.MAX, 2),
        of("NCCL_NETDEVS_POLICY=MAX:2").netDevsPolicy());
  }

  @ParameterizedTest
  @CsvSource({
    "LOC, LOC",
    "NVL, NVL",
    "NVB, NVB",
    "C2C, C2C",
    "PIX, PIX",
    "PXB, PXB",
    "P2C, P2C",
    "PXN, PXN",
    "PHB, PHB",
    "SYS, SYS",
  })
  void levelsHaveTheNamesOfPathTypes(String value, PathType level) {
    assertEquals(Optional.of(level), of("NCCL_P2P_LEVEL=" + value).p2pLevel());
    assertEquals(Optional.of(level), of("NCCL_NET_GDR_LEVEL=" + value).gdrLevel());
  }

  @ParameterizedTest
  @CsvSource({"0, LOC", "1, PIX", "2, PXB", "3, PHB", "4, SYS", "5, SYS", "6, SYS", "99, SYS"})
  void levelsHaveTheirOldNumbers(String value, PathType level) {
    assertEquals(Optional.of(level), of("NCCL_P2P_LEVEL=" + value).p2pLevel());
    assertEquals(Optional.of(level), of("NCCL_NET_GDR_LEVEL=" + value).gdrLevel());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NET", "DIS", "pix", "-1", "PIX ", "near"})
  void refusesWhatIsNoLevel(String value) {
    assertEquals(
        "setting NCCL_P2P_LEVEL="
            + value
            + ": expected the farthest path for direct GPU to GPU traffic: LOC, NVL, NVB, C2C, PIX, PXB, P2C, PXN,"
            + " PHB or SYS",
        refusal("NCCL_P2P_LEVEL=" + value));
  }

  @Test
  void disablingP2pWinsOverItsLevel() {
    assertEquals(
        Optional.of(PathType.LOC), of("NCCL_P2P_LEVEL=SYS", "NCCL_P2P_DISABLE=1").p2pLevel());
    assertEquals(
        Optional.of(PathType.SYS), of("NCCL_P2P_LEVEL=SYS", "NCCL_P2P_DISABLE=0").p2pLevel());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "-2, -2",
    "0x10, 16",
    "010, 8",
    "' 5', 5",
    "2147483647, 2147483647",
    "4294967297, 1"
  })
  void integersAreReadAsInC(String value, int number) {
    assertEquals(number, of("NCCL_BUFFSIZE=" + value).integer("NCCL_BUFFSIZE", 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1.5", "1e3", "#1", "true", "9999999999999999999"})
  void refusesWhatIsNoInteger(String value) {
    assertEquals(
        "setting NCCL_CROSS_NIC=" + value + ": expected 0 never, 1 always, 2 where it is better",
        refusal("NCCL_CROSS_NIC=" + value));
  }

  /** Settings of any text that NCCL reads as numbers. */
  @ParameterizedTest
  @CsvSource({"1, 1", "False, 0", "2x, 2", "' -1 ', -1", "0x1Fg, 31", "'', 0"})
  void aTextIsANumberAsFarAsItBeginsWithOne(String value, int number) {
    assertEquals(number, of("NCCL_IB_DISABLE=" + value).integer("NCCL_IB_DISABLE", 9));
  }

  @Test
  void anIntegerThatIsNotSetHasTheDefaultOfTheCaller() {
    assertEquals(-2, NcclSettings.DEFAULTS.integer("NCCL_NET_GDR_READ", -2));
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_CROSSNIC, NCCL_CROSS_NIC",
    "NCCL_NVLS_ENABEL, NCCL_NVLS_ENABLE",
    "CROSS_NIC, NCCL_CROSS_NIC",
    "nccl_algo, NCCL_ALGO",
    "NCCL_P2P_LEVL, NCCL_P2P_LEVEL",
  })
  void anUnknownNameComesWithASuggestion(String wrong, String right) {
    String message = refusal(wrong + "=1");
    assertTrue(message.startsWith("setting '" + wrong + "' is not one of NCCL 2.28.9"), message);
    assertTrue(message.contains("did you mean " + right), message);
  }

  @Test
  void aNameLikeNoOtherComesWithoutSuggestion() {
    assertEquals("setting 'PATH' is not one of NCCL 2.28.9", refusal("PATH=/bin"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NCCL_CROSS_NIC", "", "=1"})
  void refusesTextWithoutNameOrValue(String assignment) {
    assertEquals(
        "setting '" + assignment + "': expected NAME=VALUE, as in NCCL_CROSS_NIC=1",
        refusal(assignment));
  }

  @Test
  void laterAssignmentsWin() {
    assertEquals(1, of("NCCL_CROSS_NIC=0", "NCCL_CROSS_NIC=1").crossNic());
  }

  @Test
  void valuesMayContainEqualsSigns() {
    assertEquals(Optional.of("a=b"), of("NCCL_ALGO=a=b").text("NCCL_ALGO"));
  }

  @Test
  void withKeepsBothAndTheOtherWins() {
    NcclSettings merged = of("NCCL_CROSS_NIC=0", "NCCL_PXN_DISABLE=1").with(of("NCCL_CROSS_NIC=1"));
    assertEquals(Map.of("NCCL_CROSS_NIC", "1", "NCCL_PXN_DISABLE", "1"), merged.values());
    assertEquals(of("NCCL_PXN_DISABLE=1", "NCCL_CROSS_NIC=1"), merged);
    assertEquals(of("NCCL_PXN_DISABLE=1", "NCCL_CROSS_NIC=1").hashCode(), merged.hashCode());
    assertNotEquals(of("NCCL_PXN_DISABLE=1"), merged);
    assertEquals("{NCCL_CROSS_NIC=1, NCCL_PXN_DISABLE=1}", merged.toString());
  }

  @Test
  void namesSettingsThatHaveNoInfluence() {
    assertEquals(
        List.of("NCCL_DEBUG", "NCCL_IB_HCA"),
        of("NCCL_IB_HCA=mlx5", "NCCL_CROSS_NIC=0", "NCCL_DEBUG=INFO")
            .names(Set.of(SettingScope.MACHINE, SettingScope.NO_INFLUENCE)));
  }
}
