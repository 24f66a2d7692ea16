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

/** Hypotheses about a job: that it is healthy, and every known fault. */
final class Hypotheses {
  /** The healthy job. */
  public static final Hypothesis HEALTHY =
      new Hypothesis(Optional.empty(), "as it should be", 1, "", Effect.NONE);

  /** Unknown cause. */
  static final Hypothesis UNKNOWN =
      new Hypothesis(
          Optional.of(CauseKind.UNKNOWN),
          "no case that was tried gives these times",
          0.05,
          "",
          Effect.NONE);

  /** Speeds of Ethernet interfaces that TCP usually takes, in Mb/s. */
  private static final List<Integer> ETHERNET =
      List.of(10_000, 17_000, 25_000, 40_000, 60_000, 100_000);

  /** Buffer sizes from a hundredth of NCCL's own; larger buffers cost little. */
  private static final List<Integer> BUFFERS =
      List.of(1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19);

  private static final List<Integer> CHUNKS = List.of(1 << 12, 1 << 14, 1 << 16);

  private static final List<Integer> THREADS = List.of(64, 128, 256);

  /**
   * Bandwidths of a slow channel in GB/s; with all of its threads it copies about 20 GB/s on
   * Hopper.
   */
  private static final List<Double> CHANNEL_GBPS = List.of(1.5, 2.0, 2.7, 3.6, 4.8, 6.4, 8.5, 11.3);

  private static final List<Integer> CHANNELS = List.of(1, 2, 4, 8, 16);

  /** Releases to try; another release is rarely the cause, and there are many. */
  private static final List<String> RELEASES =
      List.of("2.19.3", "2.21.5", "2.23.4", "2.26.2", "2.28.9", "2.29.7");

  private static final List<Double> FACTORS = List.of(1.3, 1.7, 2.2, 3.0, 4.0, 6.0);
  private static final List<Double> JITTERS = List.of(0.15, 0.3);

  private final DiagnosedJob job;
  private final Topology node;
  private final List<Hypothesis> all = new ArrayList<>();

  private Hypotheses(DiagnosedJob job) {
    this.job = job;
    this.node = job.topology();
  }

  /**
   * Hypotheses about a job.
   *
   * @param isReleaseKnown whether the job's release is known to be that of the run
   */
  static List<Hypothesis> of(DiagnosedJob job, boolean isReleaseKnown) {
    Hypotheses hypotheses = new Hypotheses(job);
    hypotheses.all.add(HEALTHY);
    hypotheses.inNode();
    hypotheses.choices();
    hypotheses.buffers();
    hypotheses.peers();
    if (job.nodes() > 1 && !hypotheses.node.nets().isEmpty()) {
      hypotheses.network();
    }
    if (!isReleaseKnown) {
      hypotheses.releases();
    }
    return List.copyOf(hypotheses.all);
  }

  private boolean isSet(String setting) {
    return job.settings().text(setting).isPresent();
  }

  private void add(CauseKind kind, String detail, double prior, String edits) {
    all.add(Hypothesis.edited(kind, detail, prior, edits));
  }

  private void set(CauseKind kind, String detail, double prior, String name, String value) {
    if (!isSet(name)) {
      add(kind, detail, prior, "env " + name + "=" + value);
    }
  }

  private void inNode() {
    boolean hasNvlink = has(job.machine().root(), "nvlink");
    if (node.gpus().size() > 1) {
      set(
          CauseKind.P2P_OFF,
          "GPUs of a node exchange data through shared memory",
          0.1,
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
        set(
            CauseKind.NVLS_OFF,
            "NCCL_NVLS_ENABLE=0, or no multicast",
            0.15,
            "NCCL_NVLS_ENABLE",
            "0");
      } else {
        slowPcie("gpu:*", "of every GPU");
        slowPcie("gpu:" + node.gpus().get(0).dev(), "of one GPU");
      }
    }
  }

  private void slowPcie(String device, String words) {
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

  private void choices() {
    for (int channels : CHANNELS) {
      set(
          CauseKind.FEW_CHANNELS,
          channels + (channels == 1 ? " channel" : " channels"),
          0.04,
          "NCCL_MAX_NCHANNELS",
          String.valueOf(channels));
    }
    for (String protocol : List.of("LL", "LL128", "Simple")) {
      set(CauseKind.FORCED_CHOICE, "NCCL_PROTO=" + protocol, 0.04, "NCCL_PROTO", protocol);
    }
    for (String algorithm : List.of("Ring", "Tree")) {
      set(CauseKind.FORCED_CHOICE, "NCCL_ALGO=" + algorithm, 0.03, "NCCL_ALGO", algorithm);
    }
    if (!isSet("NCCL_ALGO") && !isSet("NCCL_PROTO")) {
      pairs();
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

  private void pairs() {
    for (String algorithm : List.of("Ring", "Tree")) {
      for (String protocol : List.of("LL", "LL128", "Simple")) {
        add(
            CauseKind.FORCED_CHOICE,
            "NCCL_ALGO=" + algorithm + " NCCL_PROTO=" + protocol,
            0.01,
            "env NCCL_ALGO=" + algorithm + "; env NCCL_PROTO=" + protocol);
      }
    }
  }

  /** Adds buffers, chunks and threads: effects of NCCL's own settings on a channel's pace. */
  private void buffers() {
    for (int bytes : BUFFERS) {
      number("NCCL_BUFFSIZE", bytes, 0.02);
      number("NCCL_LL128_BUFFSIZE", bytes, 0.01);
      number("NCCL_LL_BUFFSIZE", bytes, 0.01);
    }
    for (int threads : THREADS) {
      number("NCCL_NTHREADS", threads, 0.02);
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

  private void number(String setting, int value, double prior) {
    set(CauseKind.BUFFERS, setting + "=" + value, prior, setting, String.valueOf(value));
  }

  /** Adds causes that affect sends and receives only. */
  private void peers() {
    String type = job.nodes() > 1 ? "NET" : has(job.machine().root(), "nvlink") ? "NVL" : "PCI";
    for (int bytes : CHUNKS) {
      number("NCCL_P2P_" + type + "_CHUNKSIZE", bytes, 0.01);
    }
    for (int channels : CHANNELS) {
      set(
          CauseKind.FEW_CHANNELS,
          "NCCL_MAX_P2P_NCHANNELS=" + channels,
          0.02,
          "NCCL_MAX_P2P_NCHANNELS",
          String.valueOf(channels));
    }
  }

  private void network() {
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
    for (Map.Entry<Integer, Double> left :
        List.of(Map.entry(1, 0.1), Map.entry(count / 4, 0.02), Map.entry(count / 2, 0.03))) {
      boolean isNew = left.getKey() == 1 || left.getKey() > 1 && left.getKey() != count;
      if (count > 1 && isNew && left.getKey() > 0) {
        add(
            CauseKind.FEWER_NICS,
            left.getKey() + " of " + count + " NICs",
            left.getValue(),
            "remove " + nets(names.subList(left.getKey(), count)));
      }
    }
    add(CauseKind.NO_GPUDIRECT, "NICs do not access GPU memory", 0.1, "net:*.gdr=0");
    for (Map.Entry<Integer, Double> part : List.of(Map.entry(2, 0.08), Map.entry(4, 0.04))) {
      add(
          CauseKind.SLOW_NIC,
          TextWriter.format(
              "%.0f instead of %.0f Gb/s", 8 * port.bwGBps() / part.getKey(), 8 * port.bwGBps()),
          part.getValue(),
          "net:*.speed=" + Math.round(8000 * port.bwGBps() / part.getKey()));
    }
    for (int width : List.of(8, 4)) {
      add(
          CauseKind.SLOW_PCIE,
          "PCIe link of the NICs with " + width + " lanes",
          0.03,
          "net:*.link_width=" + width);
    }
    for (double factor : FACTORS) {
      for (double jitter : JITTERS) {
        all.add(
            Hypothesis.ofTimes(
                CauseKind.CONGESTION,
                TextWriter.format("data takes %.1f times as long between nodes", factor),
                0.005,
                Effect.congestion(factor, jitter)));
      }
    }
  }

  private static String nets(List<String> names) {
    return "net:" + String.join(" net:", names);
  }

  private void releases() {
    for (String release : RELEASES) {
      if (!job.rules().release().toString().equals(release)) {
        add(CauseKind.OTHER_VERSION, "NCCL " + release, 0.01, "nccl " + release);
      }
    }
  }
}
