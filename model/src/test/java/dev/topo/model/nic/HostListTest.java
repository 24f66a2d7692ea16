package dev.topo.model.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {
  @Test
  void expandsRangesAndKeepsLeadingZeros() {
    assertEquals(List.of("n08", "n09", "n10", "login"), HostList.expand("n[08-10],login"));
    assertEquals(List.of("r1n1", "r1n2", "r2n1", "r2n2"), HostList.expand("r[1-2]n[1-2]"));
    assertEquals(List.of("a1", "a5", "a6"), HostList.expand(" a[1,5-6] "));
    assertEquals(List.of(), HostList.expand(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"n[1-2", "n1-2]", "n[2-1]", "n[a-b]", "n[1-2-3]", "n[0-999999999]", "n[]"})
  void rejectsMalformedLists(String text) {
    assertThrows(IllegalArgumentException.class, () -> HostList.expand(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"n[08-10],login", "n[1-3,7]", "a,b", "n1", "x[9-11]", "n[00-01,40-41]"})
  void foldsWhatItExpands(String text) {
    assertEquals(text, HostList.fold(HostList.expand(text)));
  }

  @Test
  void keepsTheOrderWhenItFolds() {
    List<String> names = List.of("n3", "n1", "n2", "m1");
    assertEquals("n[3,1-2],m1", HostList.fold(names));
    assertEquals(names, HostList.expand(HostList.fold(names)));
  }
}
