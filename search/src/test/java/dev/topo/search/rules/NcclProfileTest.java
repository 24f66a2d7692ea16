package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.PathType;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.graph.ChannelGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link NcclProfile}: strict reading, and that the code reads its numbers and no others. */
class NcclProfileTest {
  private static final String VERSION = "2.28.9";

  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])-?\\d+(\\.\\d+)?(?![\\w.:])");

  /** Keys that no shipped machine depends on, with the reason. */
  private static final Map<String, String> WITHOUT_EFFECT = withoutEffect();

  private static Map<String, String> withoutEffect() {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String link :
        List.of(
            "cpu.intel",
            "cpu.zhaoxin",
            "cpu.zhaoxin-yongfeng",
            "net-default-mbps",
            "pci-default-speed",
            "pci-default-width",
            "pci.16 GT/s",
            "pci.2.5 GT/s",
            "pci.32 GT/s",
            "pci.5 GT/s",
            "pci.5.0 GT/s PCIe",
            "pci.8 GT/s")) {
      reasons.put("link." + link, "no shipped machine has such a link, see LinkBandwidthsTest");
    }
    String read = "for reads of a NIC, which decide no path, see GdrRulesTest";
    reasons.put("path.gdr-read-sm", read);
    reasons.put("setting.NCCL_NET_GDR_READ", read);
    reasons.put("path.gdr-detour-below", "all ports of shipped machines have GPUDirect RDMA");
    reasons.put("path.small-amd-gpus", "no shipped AMD machine has two GPUs without NVLink");
    reasons.put("connect.doubled-sm", "no shipped machine is doubled, see ChannelPlanTest");
    reasons.put("search.fallback-gbps", "every shipped machine has channels");
    reasons.put("search.inter-type-relaxed-below", "no shipped machine needs farther ports");
    reasons.put("setting.NCCL_MNNVL_SCATTER_NETS_ENABLE", "for NVLink domains of several hosts");
    reasons.put("setting.NCCL_NCHANNELS_PER_NET_PEER", "a default that is not positive is none");
    reasons.put("tuning.net-latency.PAT", "one GPU on each node has the latency of Tree");
    reasons.put("tuning.nvlink-latency.PAT", "the formula of PAT has no step inside a node");
    reasons.put("tuning.nvls-tree-max.0", "multicast before sm 90 has no bandwidth");
    reasons.put("tuning.nvls-tree-max.80", "multicast before sm 90 has no bandwidth");
    reasons.put("tuning.pci-latency.NVLS", "NVLS goes over NVLink");
    reasons.put("tuning.pci-latency.NVLSTree", "NVLS goes over NVLink");
    return reasons;
  }

  private static Map<String, String> entries() {
    return NcclProfile.entries(VERSION);
  }

  private static NcclProfile with(String key, String value) {
    Map<String, String> entries = entries();
    entries.put(key, value);
    return NcclProfile.of(VERSION, entries);
  }

  @Test
  void rejectsUnknownKeys() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> with("link.locale", "1"));
    assertTrue(e.getMessage().contains("unknown keys [link.locale]"), e.getMessage());
  }

  @Test
  void rejectsEveryMissingKey() {
    for (String key : entries().keySet()) {
      if (isOneOfAList(key)) {
        continue;
      }
      Map<String, String> entries = entries();
      entries.remove(key);
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> NcclProfile.of(VERSION, entries), key);
      assertTrue(e.getMessage().contains(key) || key.endsWith(".0"), e.getMessage());
    }
  }

  /** PCI speeds, defaults of settings and rows by compute capability may be fewer. */
  private static boolean isOneOfAList(String key) {
    return key.startsWith("link.pci.")
        || key.startsWith("setting.")
        || key.matches(".*\\.[1-9]\\d+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"link.local", "= 3", "no value"})
  void rejectsLinesWithoutKeyAndValue(String line) {
    assertThrows(
        IllegalArgumentException.class, () -> RuleTable.add(line, new LinkedHashMap<>(), "file"));
  }

  @Test
  void rejectsAKeyThatIsThereTwice() {
    Map<String, String> values = new LinkedHashMap<>();
    RuleTable.add("a = 1 # origin", values, "file");
    assertEquals(Map.of("a", "1"), values);
    assertThrows(IllegalArgumentException.class, () -> RuleTable.add("a = 2", values, "file"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"link.local", "path.p2p", "xml.version", "link.nvlink"})
  void namesTheKeyOfABadValue(String key) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> with(key, "0:x"));
    assertTrue(e.getMessage().contains(key), e.getMessage());
  }

  @Test
  void rejectsVersionsWithoutProfile() {
    assertThrows(IllegalArgumentException.class, () -> NcclProfile.of("1.0"));
  }

  /** Every third key is tried, or all with {@code -Dtopo.test.thorough=true}. */
  private static final int STRIDE = Boolean.getBoolean("topo.test.thorough") ? 1 : 3;

  @Test
  @Tag("slow")
  void everyKeyChangesAnAnswer() throws IOException {
    List<ProfileCase> cases = new ArrayList<>(ProfileCase.all());
    List<String> unread = new ArrayList<>();
    int number = 0;
    for (Map.Entry<String, String> entry : entries().entrySet()) {
      if (!WITHOUT_EFFECT.containsKey(entry.getKey())
          && number++ % STRIDE == 0
          && !changesAnAnswer(cases, entry.getKey(), entry.getValue())) {
        unread.add(entry.getKey());
      }
    }
    assertEquals(List.of(), unread);
    assertTrue(entries().keySet().containsAll(WITHOUT_EFFECT.keySet()));
  }

  /** A fast case that shows a change is tried first for the next key. */
  private static boolean changesAnAnswer(List<ProfileCase> cases, String key, String value) {
    for (String variant : variants(value)) {
      for (int i = 0; i < cases.size(); i++) {
        ProfileCase tried = cases.get(i);
        if (!tried.usual().equals(tried.answer(() -> with(key, variant)))) {
          if (!tried.isSlow()) {
            cases.add(0, cases.remove(i));
          }
          return true;
        }
      }
    }
    return false;
  }

  /** Other values: larger and smaller numbers, other path types, a shorter list. */
  private static Set<String> variants(String value) {
    Set<String> variants = new LinkedHashSet<>();
    for (double factor : new double[] {2, 0.5, 0}) {
      variants.add(scaled(value, factor, factor == 2 ? 1 : 0));
    }
    List<String> words = Arrays.asList(value.split(" ", -1));
    for (PathType type : new PathType[] {PathType.LOC, PathType.SYS, PathType.PHB, PathType.NVB}) {
      if (words.size() <= 2 && value.matches("[A-Z2]{3}( [A-Z2]{3})?")) {
        variants.add(words.size() == 2 ? type + " " + type : type.name());
      }
    }
    if (words.size() > 1) {
      for (String word : words) {
        List<String> others = new ArrayList<>(words);
        others.remove(word);
        variants.add(String.join(" ", others));
      }
    }
    variants.addAll(OTHER.getOrDefault(value, List.of()));
    variants.remove(value);
    return variants;
  }

  /** Values of which no number is larger or smaller. */
  private static final Map<String, List<String>> OTHER =
      Map.of("AUTO", List.of("ALL", "MAX:1"), "Ring", List.of("Tree"), "0", List.of("90"));

  private static String scaled(String value, double factor, int more) {
    Matcher numbers = NUMBER.matcher(value);
    return numbers.replaceAll(
        found -> {
          if (found.group().contains(".")) {
            return String.valueOf(Double.parseDouble(found.group()) * factor + more);
          }
          return String.valueOf((long) (Long.parseLong(found.group()) * factor) + more);
        });
  }

  /** With twice the bandwidth everywhere the search finds the same channels with twice as much. */
  @Test
  void graphsScaleWithBandwidths() throws IOException {
    Map<String, String> entries = entries();
    entries.replaceAll((key, value) -> key.matches(BANDWIDTHS) ? scaled(value, 2, 0) : value);
    NcclProfile twice = NcclProfile.of(VERSION, entries);
    int compared = 0;
    for (Path file : ShippedMachines.files()) {
      if (file.toString().matches(".*(gb200|gh200).*")) {
        continue; // The bandwidth of C2C is in the file.
      }
      ProfileCase onNode = new ProfileCase(file, 1, List.of());
      List<ChannelGraph> usual = onNode.graphs(NcclProfile.DEFAULT);
      List<ChannelGraph> scaled = onNode.graphs(twice);
      assertEquals(usual.size(), scaled.size(), file.toString());
      for (int i = 0; i < usual.size(); i++) {
        ChannelGraph graph = usual.get(i);
        assertEquals(graph.channels(), scaled.get(i).channels(), file + " " + graph.kind());
        assertEquals(2 * graph.bwIntra(), scaled.get(i).bwIntra(), file + " " + graph.kind());
        compared++;
      }
    }
    assertTrue(compared >= 40, "compared " + compared);
  }

  private static final String BANDWIDTHS =
      "link\\.(local|nvlink|cpu\\..*|pci\\..*|pci-default-speed|net-default-mbps)"
          + "|search\\.(speeds-.*|duplicate-gbps|duplicate-newer-gbps|fallback-gbps)";
}
