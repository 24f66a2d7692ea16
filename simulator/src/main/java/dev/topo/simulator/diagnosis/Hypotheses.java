package dev.topo.simulator.diagnosis;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.TextWriter;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.simulator.diagnosis.Hypothesis.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists the hypotheses about a job: that it is healthy, and each known fault that it can have. */
final class Hypotheses {
  /** The healthy job. */
  public static final Hypothesis HEALTHY =
      new Hypothesis(Optional.empty(), "as it should be", 1, "", Effect.NONE);

  /** A slowdown that no known fault explains; not part of {@link #of}. */
  static final Hypothesis UNKNOWN =
      new Hypothesis(
          Optional.of(CauseKind.UNKNOWN),
          "no case that was tried gives these times",
          0.05,
          "",
          Effect.NONE);

  /** Speeds of the interfaces that TCP commonly uses, in Mb/s. */
  private static final List<Integer> ETHERNET =
      List.of(10_000, 17_000, 25_000, 40_000, 60_000, 100_000);

  /**
   * Buffer sizes in bytes, far below NCCL's default (4 MiB for Simple); larger ones cost little.
   */
  private static final List<Integer> BUFFERS =
      List.of(1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19);

  private static final List<Integer> CHUNKS = List.of(1 << 12, 1 << 14, 1 << 16);

  private static final List<Integer> THREADS = List.of(64, 128, 256);

  /**
   * Bandwidths of a slow channel in GB/s. With all of its threads, a channel copies about 20 GB/s
   * on Hopper.
   */
  private static final List<Double> CHANNEL_GBPS = List.of(1.5, 2.0, 2.7, 3.6, 4.8, 6.4, 8.5, 11.3);

  private static final List<Integer> CHANNELS = List.of(1, 2, 4, 8, 16);

  /** Releases to try; another release is rarely the cause, and there are many. */
  private static final List<String> RELEASES =
      List.of("2.19.3", "2.21.5", "2.23.4", "2.26.2", "2.28.9", "2.29.7");

  private static final List<Double> FACTORS = List.of(1.3, 1.6, 2.0, 2.5, 3.2, 4.0, 6.0);

  private static final List<Double> JITTERS = List.of(0.15, 0.3);

  private final DiagnosedJob job;
  private final Topology node;
  private final List<Hypothesis> all = new ArrayList<>();

  private Hypotheses(DiagnosedJob job) {
    this.job = job;
    this.node = job.topology();
  }

  /**
   * Lists the hypotheses about a job, the healthy job first.
   *
   * @param isReleaseKnown whether the NCCL release of the run is known, so that no other needs to
   *     be tried
   */
  static List<Hypothesis> of(DiagnosedJob job, boolean isReleaseKnown) {
    Hypotheses hypotheses = new Hypotheses(job);
    hypotheses.all.add(HEALTHY);
    hypotheses.addNodeFaults();
    hypotheses.addForcedChoices();
    hypotheses.addBuffers();
    hypotheses.addPeerSettings();
    if (job.nodes() > 1 && !hypotheses.node.nets().isEmpty()) {
      hypotheses.addNetworkFaults();
    }
    if (!isReleaseKnown) {
      hypotheses.addReleases();
    }
    return List.copyOf(hypotheses.all);
  }

  private boolean isSet(String setting) {
    return job.settings().text(setting).isPresent();
  }

  private void add(CauseKind kind, String detail, double prior, String edits) {
    all.add(Hypothesis.edited(kind, detail, prior, edits));
  }

  private void addSetting(CauseKind kind, String detail, double prior, String name, String value) {
    if (!isSet(name)) {
      add(kind, detail, prior, "env " + name + "=" + value);
    }
  }

  private void addNodeFaults() {
    boolean hasNvlink = has(job.machine().root(), "nvlink");
    if (node.gpus().size() > 1) {
      addSetting(
          CauseKind.P2P_OFF,
          "GPUs of a node exchange data through shared memory",
          job.nodes() > 1 ? 0.03 : 0.1,
          "NCCL_P2P_DISABLE",
          "1");
      if (!isSet("NCCL_SHM_DISABLE")) {
        add(
            CauseKind.P2P_OFF,
            "GPUs of a node exchange data through the network",
            0.02,
            "env NCCL_P2P_DISABLE=1; env NCCL_SHM_DISABLE=1");
      }
      if (hasNvlink) {
        if (!isSet("NCCL_P2P_DISABLE") && !isSet("NCCL_NVLS_ENABLE")) {
          add(
              CauseKind.P2P_OFF,
              "GPUs of a node exchange data through shared memory, without multicast",
              0.05,
              "env NCCL_P2P_DISABLE=1; env NCCL_NVLS_ENABLE=0");
        }
        add(CauseKind.NO_NVLINK, "no NVLink between the GPUs, only PCIe", 0.08, "remove nvlink:*");
        addSetting(
            CauseKind.NVLS_OFF,
            "NCCL_NVLS_ENABLE=0, or no multicast",
            0.15,
            "NCCL_NVLS_ENABLE",
            "0");
      } else {
        addSlowPcie("gpu:*", "of every GPU");
        addSlowPcie("gpu:" + node.gpus().get(0).dev(), "of one GPU");
      }
    }
  }

  private void addSlowPcie(String device, String words) {
    for (int width : List.of(8, 4, 2, 1)) {
      add(
          CauseKind.SLOW_PCIE,
          "PCIe link " + words + " with " + width + " lanes",
          width < 4 ? 0.02 : 0.04,
          device + ".link_width=" + width);
    }
  }

  private static boolean has(XmlElement element, String name) {
    return element.name().equals(name)
        || element.elements().stream().anyMatch(child -> has(child, name));
  }

  private void addForcedChoices() {
    // Rarely set where nobody knows of it; in a node the times are known well enough to tell.
    double byAccident = job.nodes() > 1 ? 0.004 : 0.04;
    for (int channels : CHANNELS) {
      addSetting(
          CauseKind.FEW_CHANNELS,
          channels + (channels == 1 ? " channel" : " channels"),
          0.04,
          "NCCL_MAX_NCHANNELS",
          String.valueOf(channels));
    }
    for (String protocol : List.of("LL", "LL128", "Simple")) {
      addSetting(
          CauseKind.FORCED_CHOICE, "NCCL_PROTO=" + protocol, byAccident, "NCCL_PROTO", protocol);
    }
    for (String algorithm : List.of("Ring", "Tree")) {
      addSetting(
          CauseKind.FORCED_CHOICE, "NCCL_ALGO=" + algorithm, byAccident, "NCCL_ALGO", algorithm);
    }
    // Of published clusters one in three is slower by LL128 (docs/accuracy.md).
    addSetting(
        CauseKind.FORCED_CHOICE,
        "LL128 is not used, as with NCCL_PROTO=^LL128",
        job.nodes() > 1 ? 0.1 : byAccident,
        "NCCL_PROTO",
        "^LL128");
    if (!isSet("NCCL_ALGO") && !isSet("NCCL_PROTO")) {
      addPairs(byAccident / 4);
    }
    for (double us = 15; us < 2000; us *= 1.25) {
      all.add(
          Hypothesis.ofTimes(
              CauseKind.SLOW_LAUNCHES,
              TextWriter.format("a call takes %.0f us at least", us),
              0.004,
              Effect.floor(us)));
    }
  }

  private void addPairs(double prior) {
    for (String algorithm : List.of("Ring", "Tree")) {
      for (String protocol : List.of("LL", "LL128", "Simple")) {
        add(
            CauseKind.FORCED_CHOICE,
            "NCCL_ALGO=" + algorithm + " NCCL_PROTO=" + protocol,
            prior,
            "env NCCL_ALGO=" + algorithm + "; env NCCL_PROTO=" + protocol);
      }
    }
  }

  /** Adds settings that slow down each channel: small buffers and few threads. */
  private void addBuffers() {
    for (int bytes : BUFFERS) {
      addBufferSetting("NCCL_BUFFSIZE", bytes, 0.02);
      addBufferSetting("NCCL_LL128_BUFFSIZE", bytes, 0.01);
      addBufferSetting("NCCL_LL_BUFFSIZE", bytes, 0.01);
    }
    for (int threads : THREADS) {
      addBufferSetting("NCCL_NTHREADS", threads, 0.02);
    }
    for (double gbps : CHANNEL_GBPS) {
      all.add(
          Hypothesis.ofTimes(
              CauseKind.BUFFERS,
              TextWriter.format(
                  "a channel copies %.1f GB/s at most, as with few threads (NCCL_NTHREADS)", gbps),
              0.005,
              Effect.slowChannels(gbps)));
    }
  }

  private void addBufferSetting(String setting, int value, double prior) {
    addSetting(CauseKind.BUFFERS, setting + "=" + value, prior, setting, String.valueOf(value));
  }

  /** Adds settings that affect only sends and receives. */
  private void addPeerSettings() {
    String type = job.nodes() > 1 ? "NET" : has(job.machine().root(), "nvlink") ? "NVL" : "PCI";
    for (int bytes : CHUNKS) {
      addBufferSetting("NCCL_P2P_" + type + "_CHUNKSIZE", bytes, 0.01);
    }
    for (int channels : CHANNELS) {
      addSetting(
          CauseKind.FEW_CHANNELS,
          "NCCL_MAX_P2P_NCHANNELS=" + channels,
          0.02,
          "NCCL_MAX_P2P_NCHANNELS",
          String.valueOf(channels));
    }
  }

  private void addNetworkFaults() {
    NetNode port = node.nets().get(0);
    List<String> names = node.nets().stream().map(NetNode::name).toList();
    int count = names.size();
    if (!isSet("NCCL_NET") && !isSet("NCCL_IB_DISABLE") && port.port() > 0) {
      add(CauseKind.WRONG_NETWORK, "TCP over all ports", 0.05, "env NCCL_NET=Socket");
      String others = count > 1 ? "remove " + nets(names.subList(1, count)) + "; " : "";
      for (int speed : ETHERNET) {
        add(
            CauseKind.WRONG_NETWORK,
            "TCP over one interface of " + speed / 1000 + " Gb/s",
            0.03,
            others + "net:" + names.get(0) + ".speed=" + speed + "; env NCCL_NET=Socket");
      }
    }
    for (Map.Entry<Integer, Double> remaining :
        List.of(Map.entry(1, 0.1), Map.entry(count / 4, 0.02), Map.entry(count / 2, 0.03))) {
      boolean isDistinct =
          remaining.getKey() == 1 || remaining.getKey() > 1 && remaining.getKey() != count;
      if (count > 1 && isDistinct && remaining.getKey() > 0) {
        add(
            CauseKind.FEWER_NICS,
            remaining.getKey() + " of " + count + " NICs",
            remaining.getValue(),
            "remove " + nets(names.subList(remaining.getKey(), count)));
      }
    }
    add(CauseKind.NO_GPUDIRECT, "NICs do not access GPU memory", 0.1, "net:*.gdr=0");
    // All ports of all nodes are rarely slow; a slow one of one node slows all rings (SLOW_PATH).
    for (Map.Entry<Integer, Double> divisor : List.of(Map.entry(2, 0.02), Map.entry(4, 0.01))) {
      add(
          CauseKind.SLOW_NIC,
          TextWriter.format(
              "%.0f instead of %.0f Gb/s", 8 * port.bwGBps() / divisor.getKey(), 8 * port.bwGBps()),
          divisor.getValue(),
          "net:*.speed=" + Math.round(8000 * port.bwGBps() / divisor.getKey()));
    }
    for (int width : List.of(8, 4)) {
      add(
          CauseKind.SLOW_PCIE,
          "PCIe link of the NICs with " + width + " lanes",
          0.01,
          "net:*.link_width=" + width);
    }
    for (double factor : FACTORS) {
      String slower = TextWriter.format("data takes %.1f times as long between nodes", factor);
      all.add(Hypothesis.ofTimes(CauseKind.SLOW_PATH, slower, 0.04, Effect.congestion(factor, 0)));
      for (double jitter : JITTERS) {
        all.add(
            Hypothesis.ofTimes(
                CauseKind.CONGESTION, slower, 0.005, Effect.congestion(factor, jitter)));
      }
    }
  }

  private static String nets(List<String> names) {
    return "net:" + String.join(" net:", names);
  }

  private void addReleases() {
    for (String release : RELEASES) {
      if (!job.rules().release().toString().equals(release)) {
        add(CauseKind.OTHER_VERSION, "NCCL " + release, 0.01, "nccl " + release);
      }
    }
  }
}
