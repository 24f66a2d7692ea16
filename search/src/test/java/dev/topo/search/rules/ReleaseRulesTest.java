package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.search.rules.ReleaseRules.CoveredReleases;
import dev.topo.search.rules.ReleaseRules.Fit;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReleaseRulesTest {
  @ParameterizedTest
  @CsvSource({
    "2.27.7, 2.27.7",
    "v2.27.7-1, 2.27.7",
    "22707, 2.27.7",
    "2.27.7+cuda12.4, 2.27.7",
    "2708, 2.7.8",
    "23007, 2.30.7"
  })
  void readsAReleaseAsTagsLogsAndHeadersWriteIt(String text, String release) {
    assertEquals(release, NcclRelease.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2.27", "2.27.x", "latest", "27", "2.27.7.1", "02.27.7 "})
  void refusesATextThatNamesNoRelease(String text) {
    assertThrows(IllegalArgumentException.class, () -> NcclRelease.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "2.28.9, 2.28.9, COVERED",
    "2.29.2, 2.29.3, COVERED",
    "2.30.4, 2.30.3, COVERED",
    "2.26.5, 2.26.2, COVERED",
    "2.29.1, 2.28.9, NEAREST_OLDER",
    "2.24.1, 2.23.4, NEAREST_OLDER",
    "2.30.5, 2.30.3, NEAREST_OLDER",
    "2.31.1, 2.30.7, NEAREST_OLDER",
    "2.31.2, 2.31.2, READ",
    "2.32.1, 2.31.2, NEAREST_OLDER",
    "2.32.3, 2.32.3, READ",
    "3.0.0, 2.32.3, NEWEST"
  })
  void takesTheRulesOfTheReleaseOrTheNearestOlder(String release, String profile, Fit fit) {
    ReleaseRules rules = ReleaseRules.of(NcclRelease.parse(release));
    assertEquals(profile, rules.profile().version());
    assertEquals(fit, rules.fit());
    boolean isOwn = fit == Fit.COVERED || fit == Fit.READ;
    assertEquals(isOwn ? release : profile, rules.named());
  }

  @Test
  void refusesAReleaseOlderThanAllRules() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> ReleaseRules.of(NcclRelease.parse("2.18.5")));
    assertEquals("2.18.5: expected 2.19.3 or newer, see release list", e.getMessage());
  }

  @Test
  void listsEachReleaseOnceAndEachProfileAmongItsOwn() {
    List<CoveredReleases> all = CoveredReleases.all();
    List<NcclRelease> releases = all.stream().flatMap(one -> one.releases().stream()).toList();
    assertEquals(releases.stream().distinct().sorted().toList(), releases);
    for (CoveredReleases one : all) {
      assertTrue(one.releases().contains(NcclRelease.parse(one.version())), one.version());
    }
    assertEquals(
        NcclProfile.versions(),
        Stream.of(all).flatMap(List::stream).map(CoveredReleases::version).toList());
  }
}
