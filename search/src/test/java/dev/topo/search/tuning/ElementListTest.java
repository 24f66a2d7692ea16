package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.EnablingRules.UserLists.ElementList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementListTest {
  private static final List<String> PROTOCOLS = List.of("LL", "LL128", "Simple");

  private static ElementList parse(String value) {
    return ElementList.of(
        "NCCL_PROTO", NcclSettings.parse(List.of("NCCL_PROTO=" + value)), PROTOCOLS, true);
  }

  private static String allowed(ElementList list, Collective collective) {
    StringBuilder allowed = new StringBuilder();
    for (int e = 0; e < PROTOCOLS.size(); e++) {
      allowed.append(list.allows(collective, e) ? '1' : '0');
    }
    return allowed.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // value | for Broadcast | for AllReduce
        "ll,simple|101|101",
        "LL,LL|100|100",
        "^LL|011|011",
        "^LL,Simple|010|010",
        "LL,Simple;allreduce:^LL|101|011",
        "^LL128;allreduce:LL128|101|010",
        "AllReduce:Simple|111|001",
        "allreduce:LL;allreduce:Simple|111|001",
        ";;allreduce:LL,,Simple;|111|101",
        "allreduce::LL|111|100",
        "allreduce:LL:Simple|111|100",
        "^|111|111",
      })
  void listsCountForAllCollectivesOrForTheOneNamed(
      String value, String forBroadcast, String forAllReduce) {
    ElementList list = parse(value);
    assertEquals(forBroadcast, allowed(list, Collective.BROADCAST));
    assertEquals(forAllReduce, allowed(list, Collective.ALL_REDUCE));
  }

  @Test
  void knowsForWhichCollectivesSomethingIsStated() {
    ElementList list = parse("allreduce:^LL");
    assertTrue(list.isStatedFor(Collective.ALL_REDUCE));
    assertFalse(list.isStatedFor(Collective.BROADCAST));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ll,simple|101",
        "^LL128|101",
        "LL256|000",
        "allreduce:LL|000",
        "LL;Simple|000",
        "''|000",
      })
  void aSingleListCountsForAllCollectivesAndIgnoresUnknownNames(String value, String allowed) {
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_PROTO=" + value));
    ElementList list = ElementList.of("NCCL_PROTO", settings, PROTOCOLS, false);
    assertEquals(allowed, allowed(list, Collective.BROADCAST));
    assertEquals(allowed, allowed(list, Collective.ALL_REDUCE));
    assertTrue(list.isStatedFor(Collective.ALL_REDUCE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LL256|element 'LL256', expected [LL, LL128, Simple]",
        "allreduce:LL;Simple|a collective before every list but the first",
        "LL;Simple|a collective before every list but the first",
        ";LL|a collective before every list but the first",
        "alltoall:LL|collective 'alltoall', expected [Broadcast, Reduce, AllGather",
        ":|entry ':'",
      })
  void rejectsWhatNcclWouldNotStartWith(String value, String message) {
    SettingException e = assertThrows(SettingException.class, () -> parse(value));
    assertTrue(e.getMessage().startsWith("setting NCCL_PROTO=" + value), e::getMessage);
    assertTrue(e.getMessage().contains(message), e::getMessage);
  }
}
