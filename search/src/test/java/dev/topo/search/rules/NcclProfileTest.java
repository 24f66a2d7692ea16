package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingCatalog.SettingScope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    reasons.put("fault.no-head", "a part of a message: KnownFaultsTest");
    reasons.put("fault.port-0", "a part of a message: KnownFaultsTest");
    reasons.put("setting.NCCL_GRAPH_REGISTER", "values are compared with it: DefaultSettingsTest");
    reasons.put("topology.gpus-of-device", "for pci with several gpu: TopologyRulesTest");
    reasons.put("topology.newest-sm", "a caveat: CaveatFinderTest");
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
    reasons.put(
        "path.nvlink-domains", "no shipped machine has several hosts, see NvlinkDomainTest");
    reasons.put("transfer.evidence", "for a caveat, see PeerOperationsTest");
    reasons.put("symmetric.evidence", "for a caveat, see BuffersOptionTest");
    for (String rule :
        List.of(
            "copy-engine.gathers-from-sm",
            "copy-engine.policy-names",
            "symmetric.ll-only-for-ll",
            "symmetric.multicast-least-ranks",
            "symmetric.operators",
            "symmetric.tma-sm",
            "symmetric.without-kernel")) {
      reasons.put(rule, "for calls and settings that no job here has, see SymmetricTunerTest");
    }
    for (String rule :
        List.of(
            "copy-engine.gathers-beyond-tma",
            "copy-engine.graph-multicast-rank-us",
            "copy-engine.graph-multicast-us",
            "copy-engine.graph-unicast-rank-us",
            "copy-engine.graph-unicast-us",
            "copy-engine.host-gbps",
            "copy-engine.host-limit-before-cuda",
            "copy-engine.link-gbps",
            "copy-engine.model",
            "copy-engine.multicast-rank-us",
            "copy-engine.multicast-us",
            "copy-engine.sync-bytes",
            "copy-engine.sync-copies",
            "copy-engine.unicast-rank-us",
            "copy-engine.unicast-us",
            "symmetric.fitted-sm",
            "symmetric.tma-block-bytes.all-gather",
            "symmetric.tma-block-bytes.all-reduce",
            "symmetric.tma-block-bytes.reduce-scatter",
            "symmetric.tma-gain",
            "symmetric.tma-latency-us",
            "symmetric.tma-multicast-bytes",
            "symmetric.tma-multicast-share",
            "symmetric.tma-stores-latency-us",
            "symmetric.tma-stores-peak-gibps",
            "tuning.pat-scaled-sums")) {
      reasons.put(rule, "of later versions, see SymmetricFrom231Test and TuningFrom231Test");
    }
    reasons.put(
        "registration.nvls.fast-reduce-scatter",
        "no shipped machine has such a network, see RegistrationRulesTest");
    reasons.put("connect.large-nodes-prevent", "no shipped machine is that large");
    reasons.put("connect.nvls-alone-on", "no shipped machine with NVLS is several nodes");
    reasons.put("connect.nvls-heads", "every shipped machine has enough rings, see NvlsTest");
    reasons.put("connect.nvls-setting-least", "for a setting, see ChannelLimitsTest");
    reasons.put("connect.sm-range-of", "no shipped machine has different GPUs");
    for (String rule : List.of("-net-gbps", "-net-nodes", "est-net-gbps", "est-net-ranks")) {
      reasons.put(
          "connect.fast" + rule, "for more NVLS channels from 2.30.3 on, see ConnectRulesTest");
    }
    for (String rule : List.of("models", "sm")) {
      reasons.put("path.first-port-sharers-" + rule, "from 2.31.2 on, see PathRulesTest");
    }
    reasons.put("path.c2c-then-pci", "all ports of C2C machines have GDR, see PathRulesTest");
    for (String rule : List.of("order", "local-cpu", "pxn-relay")) {
      reasons.put("path." + rule, "no shipped machine shows it, see PathRulesTest");
    }
    reasons.put("link.nvlink-known-below-sm", "for a caveat, see CaveatFinderTest");
    reasons.put("path.net-name", "a name in NCCL's log");
    reasons.put("tuning.unused-in-log", "for NCCL's log, see TuningComparisonTest");
    for (String rule : List.of("joined-broadcom-ids", "nic-functions", "numa-ids", "pci-links")) {
      reasons.put("topology." + rule, "no shipped machine shows it, see TopologyRulesTest");
    }
    reasons.put("topology.links-of-gpu-to-itself", "counts at the limit of links only");
    reasons.put("path.p2c-ports", "ports of a CPU are alike, see PathRulesTest");
    reasons.put("peer.relays-over-c2c", "for sends of other GPUs, see PeerPortTest");
    reasons.put("xml.detected-otherwise", "for topo verify, see CheckedOnGpusDocumentTest");
    reasons.put("xml.further-attributes", "no shipped machine has them, see TopologyRulesTest");
    reasons.put("search.any-path-to-net-below-sm", "the farthest path is found anyway");
    reasons.put("search.fallback-gbps", "every shipped machine has channels");
    reasons.put("search.crossnic-patterns", "no shipped machine needs it, see SearchScheduleTest");
    reasons.put("search.single-gpu", "no shipped machine needs it, see SearchVersionsTest");
    reasons.put("search.fallback-ports", "every shipped machine has channels");
    reasons.put("search.collnet-direct-id", "format of graph files, see GraphFileTest");
    reasons.put("search.graph-file-devices", "format of graph files, see GraphFileTest");
    reasons.put("search.graph-file-gpus", "format of graph files, see GraphFileTest");
    reasons.put("search.graph-file-nvls-gpus", "format of graph files, see GraphFileTest");
    reasons.put("search.inter-type-relaxed-below", "no shipped machine needs farther ports");
    reasons.put("search.without-path", "every shipped machine has paths to all its ports");
    reasons.put("search.ports-of-hosts", "for NVLink domains of several hosts, see PortChoiceTest");
    reasons.put("search.other-ports", "no shipped machine has so many, see PortChoiceTest");
    reasons.put("search.policy-limits", "for NCCL_NETDEVS_POLICY=MAX, see SearchVersionsTest");
    reasons.put("setting.NCCL_MNNVL_SCATTER_NETS_ENABLE", "for NVLink domains of several hosts");
    reasons.put("setting.NCCL_NCHANNELS_PER_NET_PEER", "a default that is not positive is none");
    for (String setting :
        List.of(
            "DMABUF_ENABLE",
            "IB_DISABLE",
            "IB_MERGE_NICS",
            "IB_MERGE_VFS",
            "MNNVL_ENABLE",
            "NET_MERGE_LEVEL")) {
      reasons.put("setting.NCCL_" + setting, "not modelled, see CaveatFinderTest");
    }
    reasons.put(
        "launch.calls-use-raised-channels", "no channels are raised, see VersionTuningTest");
    reasons.put("launch.tree-chunks-by-depth", "for times of calls, see ChunkingTest");
    for (String key :
        List.of(
            "collnet-heads-for",
            "nvls-max-channels",
            "nvls-ranks",
            "nvls-tree-correction-arm-gbps",
            "nvls-tree-correction-arm-ranks",
            "nvls-tree-correction-arm-two-nodes",
            "ring-intra-bandwidth-nodes",
            "ring-plateau-fall-from-bytes",
            "ring-plateau-fall-over-bytes",
            "ring-plateau-one-node",
            "tree-lower-bandwidth-sm")) {
      reasons.put("tuning." + key, "from 2.31 on, see TuningFrom231Test");
    }
    reasons.put("tuning.ties", "no times are equal, see EqualTimesTest");
    for (String key : List.of("link.cpu.amd-zen-3", "link.cpu.amd-zen-5")) {
      reasons.put(key, "where generations of AMD are known, see LinkBandwidthsTest");
    }
    reasons.put(
        "topology.granite-rapids-as", "no shipped machine has such CPUs, see TopologyRulesTest");
    String withCollNet = "for in-network reduction, see VersionTuningTest";
    reasons.put("launch.nvls-within-channels", withCollNet);
    reasons.put("tuning.collnet-chain-from-heads", withCollNet);
    reasons.put("tuning.heads-for-fullest-node", withCollNet);
    String mixed = "for nodes that differ, see VersionTuningTest";
    reasons.put("tuning.tree-pattern-of-job", mixed);
    reasons.put("tuning.ll128-mixed-sm", mixed);
    String lists = "for lists of algorithms and protocols, see ElementListTest, VersionTuningTest";
    reasons.put("tuning.lists-by-collective", lists);
    reasons.put("tuning.ring-fallback", lists);
    reasons.put("tuning.ll128-inter-without-c2c", "for NCCL_LL128_C2C=0, see VersionTuningTest");
    reasons.put("tuning.net-latency.PAT", "one GPU on each node has the latency of Tree");
    reasons.put("tuning.nvlink-latency.PAT", "the formula of PAT has no step inside a node");
    reasons.put("tuning.nvls-tree-max.0", "multicast before sm 90 has no bandwidth");
    reasons.put("tuning.nvls-tree-max.80", "multicast before sm 90 has no bandwidth");
    reasons.put("tuning.pci-latency.NVLS", "NVLS goes over NVLink");
    reasons.put("tuning.pci-latency.NVLSTree", "NVLS goes over NVLink");
    return reasons;
  }

  /**
   * For each job the keys that its answers depend on and those of {@value #USUAL_JOB} do not. The
   * test tries this job first, because an answer takes up to a second; without it all jobs are
   * tried.
   */
  private static final String JOB_OF_KEYS =
      """
      a100-4-slingshot.xml on 1
        transfer.least-part-divisor
        transfer.most-chunks
      a100-pcie-4-bridged.xml on 1
        connect.all-nvlink-of
      a100-pcie-4-bridged.xml on 4
        link.cpu.intel-skylake
        search.islands-min-rings
      ac922-6.xml on 4
        link.cpu.power
        path.p2p-other-cpu
        transfer.batches-of-groups
      dgx-1v.xml on 2
        topology.port-merging
      dgx-1v.xml on 4
        setting.NCCL_NVB_DISABLE
      dgx-a100.xml on 4
        topology.joined-broadcom-generations
        tuning.ll-max-row-amd
      dgx-h100.xml on 1
        setting.NCCL_WIN_ENABLE
        tuning.ll-max.90
        tuning.ring-ll-share-one-node
      gb200-tray.xml on 1
        link.cpu.arm
        link.pci.64.0 GT/s PCIe
        peer.nvlink
        search.switch-order
      gb200-tray.xml on 4
        path.gdr-p2c-as
        peer.remote-channels-by
        search.first-gpus
        search.nvls-min-gpus
        search.replay
        setting.NCCL_NET_GDR_C2C
        setting.NCCL_PXN_C2C
        topology.cpu-search
      gh200.xml on 1
        path.one-gpu-total
        path.ports-of-one-node
        search.speeds-intra.90
        search.steps-same-channels
        search.types-without-network
        setting.NCCL_P2P_NVL_CHUNKSIZE
      gh200.xml on 4
        connect.doubled-above-gbps
        launch.slow-ring-gbps
        path.types
        registration.network-channels
        search.duplicate-gbps
        search.types-without-peers
        setting.NCCL_LL128_C2C
        setting.NCCL_MIN_P2P_NCHANNELS
        tuning.base-latency.PAT
        tuning.float8-max-ring
        tuning.intra-bandwidth-nodes
        tuning.min-nvls-channels
        tuning.one-gpu-nodes-as-tree
        tuning.pat-net-divisor
        tuning.pat-rank-latency
        tuning.pat-share
        tuning.pat-sm
        tuning.pci-latency.PAT
        tuning.pci-latency.Ring
        tuning.pci-latency.Tree
        tuning.ring-ll128-share-few-gpus
        tuning.tree-ll-divisor
      hgx-b200.xml on 1
        link.cpu.intel-emerald-rapids
        search.speeds-intra.100
        tuning.ll-max.100
        tuning.ring-ll128-max.100
        tuning.tree-ll128-max.100
        tuning.tree-max.100
      hgx-b200.xml on 4
        connect.raise-to-nvls
        search.speeds-inter.100
        tuning.nvls-tree-max.100
      hgx-h100-32nic.xml on 4
        path.first-port
        search.heads
      hgx-h100-sharp.xml on 4
        connect.direct-ranks
        launch.collnet-first-mark
        registration.nvls-fast-gbps
        registration.nvls.all-gather
        registration.nvls.all-reduce
        registration.nvls.reduce-scatter
        search.collnet-heads
        search.graphs
        setting.NCCL_COLLNET_ENABLE
        setting.NCCL_COLLNET_NODE_THRESHOLD
        tuning.collnet-chain-max-gpus
        tuning.collnet-direct-max-gpus
        tuning.collnet-net-share
        tuning.nvlink-latency.CollNetChain
        tuning.nvlink-latency.CollNetDirect
        tuning.nvls-gathers-any-type
        tuning.nvls-gathers-between-nodes
        tuning.nvls-max-gpus
      l40s-4.xml on 1
        setting.NCCL_P2P_PCI_CHUNKSIZE
      l40s-4.xml on 4
        link.cpu.amd
        link.pci.16.0 GT/s PCIe
        setting.NCCL_SHM_DISABLE
        tuning.ll-max.80
        tuning.net-overhead-amd
        tuning.tree-max.80
      l40s-8-switched.xml on 4
        path.near-net
        setting.NCCL_NET_DISABLE_INTRA
      pcie-6-uneven.xml on 4
        setting.NCCL_NETDEVS_POLICY
      rtx3090-2-bridged.xml on 1
        tuning.ring-ll128-max.80
        tuning.tree-ll128-max.80
      rtx3090-2-bridged.xml on 4
        path.p2p-small-amd
      rtx4090-2.xml on 1
        search.intel-overhead
      v100-4-mesh.xml on 1
        search.speeds-intra.0
        tuning.ring-ll128-max.0
        tuning.tree-ll128-max.0
        tuning.tree-ll128-share-one-node
      v100-4-mesh.xml on 4
        launch.slow-ring-threads
        link.pci.8.0 GT/s PCIe
        search.read-request-divisor
        search.speeds-inter.0
        search.steps-pci-order
        tuning.ll128-inter
        tuning.tree-max.0
      """;

  /** Keys of what is decided once the graphs are known. */
  private static final String AFTER_THE_SEARCH =
      "(connect|copy-engine|launch|peer|registration|symmetric|transfer|tuning)\\..*";

  private static final String USUAL_JOB = "dgx-h100.xml on 4";

  /** Symmetric kernels and the copy engine are for one node. */
  private static final String ONE_NODE_JOB = "dgx-h100.xml on 1";

  /** The job that shows the effect of a key. */
  private static Map<String, String> jobs() {
    Map<String, String> jobs = new LinkedHashMap<>();
    String job = "";
    for (String line : JOB_OF_KEYS.lines().toList()) {
      if (line.startsWith(" ")) {
        jobs.put(line.strip(), job);
      } else {
        job = line;
      }
    }
    return jobs;
  }

  private static final Map<String, String> ENTRIES = NcclProfile.entries(VERSION);

  /** A copy to be changed; reading the file again would take a tenth of the test. */
  private static Map<String, String> entries() {
    return new LinkedHashMap<>(ENTRIES);
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

  /** Answers read the rules of a subject only when they need them. */
  @Test
  void eachVersionHasTheKeysThatAreRead() {
    for (String version : NcclProfile.versions()) {
      NcclProfile.of(version, NcclProfile.entries(version));
    }
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

  /** PCI speeds, defaults of settings, known faults and rows by compute capability may be fewer. */
  private static boolean isOneOfAList(String key) {
    return key.startsWith("link.pci.")
        || key.startsWith("setting.")
        || key.startsWith("fault.")
        || key.matches(".*\\.[1-9]\\d+");
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

  /** Defaults that values are compared with, for settings whose effect is not modelled. */
  private static boolean isOfTransport(String key) {
    return key.startsWith("setting.")
        && SettingCatalog.find(key.substring("setting.".length()))
            .filter(
                setting ->
                    setting.scope() == SettingScope.TRANSPORT
                        || setting.scope() == SettingScope.NOT_MODELLED)
            .isPresent();
  }

  @Test
  void everyKeyChangesAnAnswer() throws IOException {
    List<ProfileCase> cases = ProfileCase.all();
    Map<String, String> jobs = jobs();
    Set<String> unread =
        Thorough.orEvery(6, 0, List.copyOf(entries().entrySet()), "keys of a profile")
            .parallelStream()
            .filter(entry -> !WITHOUT_EFFECT.containsKey(entry.getKey()))
            .filter(entry -> !isOfTransport(entry.getKey()))
            .filter(entry -> !changesAnAnswer(inOrder(cases, jobs, entry.getKey()), entry))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), unread);
    assertTrue(entries().keySet().containsAll(WITHOUT_EFFECT.keySet()));
    assertTrue(entries().keySet().containsAll(jobs.keySet()));
  }

  @Test
  void theSameRulesGiveTheSameAnswer() throws IOException {
    ProfileCase usual = ProfileCase.all().get(0);
    Supplier<NcclProfile> sameRules = () -> NcclProfile.of(VERSION, entries());
    assertEquals(usual.usual(), usual.answer(sameRules));
    assertEquals(usual.usual(), usual.answerOnUsualGraphs(sameRules));
  }

  /** The jobs, the one first that shows what a key does. */
  private static List<ProfileCase> inOrder(
      List<ProfileCase> cases, Map<String, String> jobs, String key) {
    boolean oneNode = key.matches("(symmetric|copy-engine|registration)\\..*");
    String job = jobs.getOrDefault(key, oneNode ? ONE_NODE_JOB : USUAL_JOB);
    return cases.stream()
        .sorted(Comparator.comparing(tried -> !tried.toString().equals(job)))
        .toList();
  }

  private static boolean changesAnAnswer(List<ProfileCase> cases, Map.Entry<String, String> entry) {
    String key = entry.getKey();
    String value = entry.getValue();
    Set<String> variants = variants(value);
    if (value.matches("[a-z][a-z-]+")) {
      variants.addAll(otherNames(key, value));
    }
    for (ProfileCase tried : cases) {
      for (String variant : variants) {
        Supplier<NcclProfile> profile = () -> with(key, variant);
        List<?> answer =
            key.matches(AFTER_THE_SEARCH)
                ? tried.answerOnUsualGraphs(profile)
                : tried.answer(profile);
        if (!tried.usual().equals(answer)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The names that other versions have for a rule. */
  private static Set<String> otherNames(String key, String value) {
    Set<String> names = new TreeSet<>();
    for (String version : NcclProfile.versions()) {
      names.add(NcclProfile.entries(version).getOrDefault(key, value));
    }
    names.remove(value);
    return names;
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
      Map.ofEntries(
          Map.entry("AUTO", List.of("ALL", "MAX:1")),
          Map.entry("Ring", List.of("Tree")),
          Map.entry("0", List.of("90", "0.15")),
          Map.entry("existing", List.of("SYS SYS", "LOC LOC")),
          Map.entry("ring-and-balanced-tree", List.of("all")),
          Map.entry("rings", List.of("all", "none")),
          Map.entry("distinct-gpus", List.of("one-for-each-port")),
          Map.entry("neighbours-only", List.of("neighbours-first")),
          Map.entry("limited", List.of("unlimited")),
          Map.entry("known", List.of("none")),
          Map.entry("driver-first", List.of("nearest")),
          Map.entry("same-channels", List.of("all-channels")));

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
      "path\\.one-gpu-total|link\\.(local|nvlink|cpu\\..*|pci\\..*|pci-default-speed|net-default-mbps)"
          + "|search\\.(speeds-.*|duplicate-gbps|duplicate-newer-gbps|fallback-gbps)";
}
