package dev.topo.simulator.network;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkCall.NetworkTime;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.PortLoad.PathLimit;
import dev.topo.simulator.timing.TimeEstimate.Overlap;
import java.util.Optional;

/**
 * Time of a call between nodes. On a ring the ports, the channels and the links of a node work in
 * parallel, while each chunk passes through the ranks one by one: each rank copies it, and each hop
 * between nodes takes a message of the proxies ({@code sendProxyProgress}, {@code
 * nccl:src/transport/net.cc}). On a tree the first chunk goes up and down hop by hop, between and
 * inside nodes, and the other chunks follow it. A pure function of its arguments; run time and
 * memory do not depend on the size of the call.
 */
public record NetworkModel(NetworkCalibration constants) {
  /**
   * Exponent of the p-norm that combines the overlapping times of ports, channels, links and
   * messages; the same as inside a node.
   */
  private static final double OVERLAP_SHARPNESS = 5;

  /**
   * The same for rings. Their chunks are many and small, so that the parts of a call wait less for
   * each other: ports then reach 0.96 of their line rate, as published for large calls.
   */
  private static final double RING_SHARPNESS = 7;

  /**
   * Fraction of a chunk that a rank has copied when the next rank starts to copy. A chunk of Simple
   * has two slices ({@code ALLREDUCE_SLICESTEPS}, {@code nccl:src/include/collectives.h}), one of
   * which is in flight meanwhile: the value is halfway between one slice and both. Chunks of LL and
   * LL128 have no slices.
   */
  private static final double COPIED_BEFORE_NEXT = 0.75;

  /** Messages of a chunk of Simple on a ring ({@code ALLREDUCE_CHUNKSTEPS}). */
  private static final int SLICES = 2;

  /** Number of messages for which a connection has buffers ({@code NCCL_STEPS}). */
  private static final int BUFFERS = 8;

  /**
   * Number of peers with which a channel starts its transfers at the same time ({@code
   * NCCL_MAX_DEV_WORK_P2P_PER_BATCH}).
   */
  private static final int CONCURRENT_PEERS = 8;

  /**
   * Time of a peer whose data GPUs flush, relative to one without: alltoall below 64 KiB took 59 us
   * on two nodes of A100 (sophia) and 40 us on two of H200 and of B200 (ctc-h200, vultr-b200).
   */
  private static final double FLUSHED_PEER = 2.7;

  /**
   * Messages that ask the receiver first, per message beyond the buffers of a connection. On two
   * nodes no message of a ring of 7 asked and all messages of a ring of 14 did (alps, polaris); in
   * between the number grows.
   */
  private static final double ASKING_PER_LATE = 2.4;

  /** Smallest number of messages of a ring of which all ask first. */
  private static final int MIN_ALL_ASKING =
      (int) Math.ceil(BUFFERS * ASKING_PER_LATE / (ASKING_PER_LATE - 1));

  private static final double US_PER_PS = 1e-6;

  /**
   * Time per byte to copy a chunk from GPU to GPU with Simple, as measured on H200 (h200-nvswitch).
   */
  private static final double INNER_HOP_PS_PER_BYTE = 30;

  /**
   * Rounds of a ring after which the channels of a port have drifted apart. All-gathers of two GPUs
   * needed 1.36 times the line rate of their port in 64 rounds (b200-roce, gb10-stacked), 1.25
   * times in 128, 1.05 times in 2,048 (gb10-stacked).
   */
  private static final double DRIFT_ROUNDS = 70;

  /** The same for AllReduce: 1.25 times in 2 rounds, 1.1 times in 16 (h100-cluster01, alps-2x1). */
  private static final double ALL_REDUCE_DRIFT_ROUNDS = 6;

  /**
   * Part of the time to fill a ring from or to one rank that a measured call shows: calls in a row
   * fill it once, and the mean over the ranks has half of that, as in a node. Broadcast and reduce
   * of 2 to 64 MiB on two nodes of H200 and B200 agree (ctc-h200, b200-ubuntu).
   */
  private static final double SHOWN_FILL = 0.5;

  /** Constants of the network. */
  public NetworkCalibration calibration() {
    return constants;
  }

  /** Time of the kernels of a collective. */
  public NetworkTime time(NetworkCall call) {
    double port = portPsPerByte(call.port(), NetworkConstant.SHARE, call.protocol());
    return kernels(call).withUplink(port < psPerByte(port, call.uplink(), NetworkConstant.SHARE));
  }

  private NetworkTime kernels(NetworkCall call) {
    if (call.algorithm() == Algorithm.PAT) {
      return pat(call);
    }
    boolean isAround = call.algorithm() == Algorithm.RING && call.roundTrips();
    return isAround ? ring(call) : pipeline(call);
  }

  /**
   * Quantile of the time of the kernels, in microseconds, over all hashes of flows onto links.
   *
   * @param part fraction of hashes for which the time is at most the result
   */
  public double kernelUs(NetworkCall call, double part) {
    return time(call.with(call.uplink().map(load -> load.at(part)))).kernelUs();
  }

  /** The same for sends and receives. */
  public double kernelUs(NetworkTransfers call, double part) {
    return time(call.with(call.uplink().map(load -> load.at(part)))).kernelUs();
  }

  /**
   * Time of a ring in several rounds. An incomplete last round counts as a fraction of a full one,
   * since it starts while the previous one ends; measured times show no step there.
   */
  private NetworkTime ring(NetworkCall call) {
    double rounds = call.shareBytes() / ((double) call.chunkBytes() * call.parts());
    Parts parts =
        rounds > 1
            ? round(call, call.chunkBytes(), inStep(call, rounds)).times(rounds)
            : round(call, (double) call.shareBytes() / call.parts(), 1);
    double stepsUs = Math.max(0, parts.totalUs - parts.withoutMessagesUs);
    return new NetworkTime(
        call.node().startUs(), stepsUs, 0, parts.totalUs - stepsUs, parts.limit());
  }

  /**
   * Fraction of the rounds in which the channels of a port are in step, so that it is idle while
   * they copy: the first one, and ever fewer of the others.
   */
  private static double inStep(NetworkCall call, double rounds) {
    double most = call.parts() > 1 ? ALL_REDUCE_DRIFT_ROUNDS : DRIFT_ROUNDS;
    return call.port().flows() > 1 ? (1 + most * (1 - Math.exp((1 - rounds) / most))) / rounds : 1;
  }

  /**
   * Times of a round in which every part has {@code bytes} bytes. Channels in step leave their port
   * idle while they copy the first slice of the first chunk and the last slice of the last chunk:
   * two halves of a copy.
   *
   * @param inStep fraction of such rounds in which channels are in step
   */
  private Parts round(NetworkCall call, double bytes, double inStep) {
    if (bytes <= 0) {
      return Parts.NONE;
    }
    double part = bytes * call.parts() / call.shareBytes();
    double channelsUs = part * call.node().channelsUs();
    double idleUs = inStep * channelsUs / (call.sends() + 1);
    double portUs = bytes * call.sends() * portUsPerByte(call) + idleUs;
    double linksUs = part * call.node().linksUs();
    double messagesUs =
        call.hops() * (ringHopUs(call, bytes) + matchUs(call, bytes)) + reuseUs(call, bytes);
    double askUs = askUs(call, bytes);
    // If software matches messages, it also fetches them.
    double fetchedUs = call.receivers().software() ? askUs : 0;
    double receiverUs = matchedUs(call, bytes) + fetchedUs;
    double copied = call.protocol() == Protocol.SIMPLE ? COPIED_BEFORE_NEXT : 1;
    double chunkUs = messagesUs + copied * channelsUs;
    return new Parts(
        portUs,
        channelsUs,
        linksUs,
        Math.max(messagesUs, askUs),
        overlapped(RING_SHARPNESS, portUs + askUs, channelsUs, linksUs, chunkUs, receiverUs),
        overlapped(RING_SHARPNESS, portUs, channelsUs, linksUs, chunkUs - messagesUs));
  }

  /**
   * Time of a hop of a ring with a message of {@code bytes} bytes of data. Each connection carries
   * all messages of a round one after the other, so the time of their copies is divided among the
   * hops.
   */
  private double ringHopUs(NetworkCall call, double bytes) {
    double copiesUs = hostCopyUs(call.protocol(), bytes) * call.sends() / call.hops();
    return hopUs(
        latencyUs(call.protocol(), NetworkConstant.STEP) + copiesUs,
        bytes * call.protocol().wireFactor());
  }

  /**
   * Time that the messages of a ring with LL or LL128 wait for buffers in use by earlier messages.
   * Eager messages do not wait. A ring of more ranks, whose messages are smaller, waits at least as
   * long as any shorter ring with the same data.
   */
  private double reuseUs(NetworkCall call, double bytes) {
    if (call.protocol() == Protocol.SIMPLE || call.sends() <= BUFFERS) {
      return 0;
    }
    double again = (call.sends() - BUFFERS) * asked(call.protocol(), bytes);
    double dataBytes = bytes * (call.sends() + 1);
    double eagerBytes = constants.value(NetworkConstant.EAGER) / call.protocol().wireFactor();
    int most = (int) Math.min(call.sends(), dataBytes / eagerBytes);
    for (int sends = BUFFERS + 1; sends < most && again < sends; sends++) {
      double part = asked(call.protocol(), dataBytes / (sends + 1));
      again = Math.max(again, (sends - BUFFERS) * part);
    }
    return again * constants.value(NetworkConstant.REUSE);
  }

  /**
   * Extra time of a port for the messages of a round that ask first: software fetches those of all
   * channels one after the other. If hardware matches, it fetches messages that have a buffer by
   * itself. Rings with LL on Slingshot took half as long on half as many channels
   * (docs/accuracy.md). A ring of more ranks, whose messages are smaller, takes at least as long as
   * any shorter ring with the same data.
   */
  private double askUs(NetworkCall call, double bytes) {
    double eager = constants.value(NetworkConstant.EAGER);
    boolean hasEager = eager > NetworkConstant.EAGER.typical();
    if (call.protocol() == Protocol.SIMPLE || !hasEager) {
      return 0;
    }
    double eagerMessages = bytes * (call.sends() + 1) * call.protocol().wireFactor() / eager;
    int first = Math.min(call.sends(), Math.max(1, (int) (eagerMessages / 2) - 1));
    double asking = 0;
    for (int sends = first;
        sends <= Math.min(call.sends(), Math.max(first, MIN_ALL_ASKING));
        sends++) {
      // From the eager size to twice that, a growing fraction of messages asks.
      double part = Math.min(1, Math.max(0, eagerMessages / (sends + 1) - 1));
      double late = ASKING_PER_LATE * Math.max(0, sends - BUFFERS);
      double fetched = call.receivers().software() ? sends : Math.min(sends, late);
      asking = Math.max(asking, part * fetched);
    }
    return asking * Math.max(1, call.port().flows()) * constants.value(NetworkConstant.ASK);
  }

  /**
   * Degree to which a message asks first, from 0 (sent eagerly) to 1 (takes as long as large
   * messages).
   */
  private double asked(Protocol protocol, double bytes) {
    double asking = latencyUs(protocol, NetworkConstant.STEP);
    double eager = constants.value(NetworkConstant.HOP_EAGER);
    double us = hopUs(asking, bytes * protocol.wireFactor());
    return us >= asking ? 1 : Math.max(0, (us - eager) / (asking - eager));
  }

  /** Time of a hop of a pipeline with a message of {@code bytes} bytes of data. */
  private double pipelineHopUs(NetworkCall call, double bytes) {
    return isNvls(call)
        ? constants.value(NetworkConstant.HOP_NVLS)
        : flushUs(call)
            + matchUs(call, bytes)
            + hopUs(
                latencyUs(call.protocol(), NetworkConstant.HOP_TREE)
                    + hostCopyUs(call.protocol(), bytes),
                bytes * call.protocol().wireFactor());
  }

  private double flushUs(NetworkCall call) {
    boolean waits = call.receivers().flush() && call.protocol() == Protocol.SIMPLE;
    return waits ? constants.value(NetworkConstant.FLUSH) : 0;
  }

  /**
   * Time in which the receiver's software matches the messages of a round, those of all channels of
   * a port one after the other.
   */
  private double matchedUs(NetworkCall call, double bytes) {
    return call.receivers().matched(1 - asked(call.protocol(), bytes))
        * call.sends()
        * Math.max(1, call.port().flows())
        * constants.value(NetworkConstant.MATCH);
  }

  /** Time that the receiver's software adds to a hop. A message that asks first counts as two. */
  private double matchUs(NetworkCall call, double bytes) {
    boolean isSliced = call.roundTrips() && call.protocol() == Protocol.SIMPLE;
    double messages = (isSliced ? SLICES : 1) * (1 + asked(call.protocol(), bytes));
    return call.receivers().software() ? messages * constants.value(NetworkConstant.MATCH) : 0;
  }

  /** Time to copy an LL message to and from host memory. */
  private double hostCopyUs(Protocol protocol, double bytes) {
    return protocol == Protocol.LL
        ? bytes * protocol.wireFactor() * constants.value(NetworkConstant.COPY_LL) * US_PER_PS
        : 0;
  }

  /** Latency of a message. {@code simpleConstant} is the constant for Simple. */
  private double latencyUs(Protocol protocol, NetworkConstant simpleConstant) {
    return constants.value(
        switch (protocol) {
          case LL -> NetworkConstant.STEP_LL;
          case LL128 -> NetworkConstant.STEP_LL128;
          case SIMPLE -> simpleConstant;
        });
  }

  /**
   * Time of a hop with a message of {@code bytes} bytes on the wire. Above the eager size it grows
   * with the size up to {@code asking}, the time of large messages: so times have no step, and half
   * as many bytes on twice as many hops are not faster.
   */
  private double hopUs(double asking, double bytes) {
    double ratio = bytes / constants.value(NetworkConstant.EAGER);
    return Math.min(asking, constants.value(NetworkConstant.HOP_EAGER) * Math.max(1, ratio));
  }

  private static boolean isNvls(NetworkCall call) {
    return call.algorithm().isNvls();
  }

  /**
   * Time of parallel aggregated trees (PAT): the latencies of messages add up, while the transfers
   * of ports and channels overlap.
   */
  private NetworkTime pat(NetworkCall call) {
    double portUs = (double) call.shareBytes() * call.sends() * portUsPerByte(call);
    double stepsUs = call.hops() * latencyUs(call.protocol(), NetworkConstant.STEP);
    double channelsUs = call.node().channelsUs();
    Parts parts = new Parts(portUs, channelsUs, 0, stepsUs, 0, 0);
    return new NetworkTime(
        call.node().startUs(), stepsUs, 0, beside(portUs, channelsUs), parts.limit());
  }

  /**
   * Time of a ring from or to one rank, or of a tree in both directions. A tree between NVLink
   * domains sends a chunk up only when the previous one has arrived, so that each chunk takes at
   * least the time of a hop.
   */
  private NetworkTime pipeline(NetworkCall call) {
    double first = Math.min(call.chunkBytes(), call.shareBytes());
    double hopUs = pipelineHopUs(call, first);
    double chunksUs = isNvls(call) && first > 0 ? chunksUs(call.shareBytes() / first, hopUs) : 0;
    double portUs = call.shareBytes() * portUsPerByte(call);
    double channelsUs = call.node().channelsUs();
    double reached = isNvls(call) ? constants.value(NetworkConstant.SHARE_NVLS) : 1;
    double linksUs = call.node().linksUs() / reached;
    double stepsUs = call.hops() * hopUs + call.innerHops() * call.node().hopUs();
    double fillUs = fillUs(call, first, linksUs);
    double steady = (call.shareBytes() - first) / Math.max(1, call.shareBytes());
    double transferUs =
        steady
            * (isNvls(call)
                ? beside(portUs, Overlap.beside(channelsUs, linksUs, Overlap.NVLS), chunksUs)
                : beside(portUs, channelsUs, linksUs));
    double messagesUs = Math.max(stepsUs + fillUs, chunksUs);
    Parts parts = new Parts(portUs, channelsUs, linksUs, messagesUs, 0, 0);
    return new NetworkTime(call.node().startUs(), stepsUs, fillUs, transferUs, parts.limit());
  }

  /**
   * Time of the messages of a tree between NVLink domains. The first messages, which fill the
   * buffers, wait for each other; for later ones, any latency above that of InfiniBand overlaps
   * with other messages.
   */
  private static double chunksUs(double chunks, double hopUs) {
    double unbuffered = Math.max(0, chunks - BUFFERS);
    return Math.min(chunks, BUFFERS) * hopUs
        + unbuffered * Math.min(hopUs, NetworkConstant.HOP_NVLS.typical());
  }

  /**
   * Time of the first chunk without the latency of messages: it crosses each hop at the rate of the
   * ports and is copied on each node, at most at the rate of the links between GPUs. With NVLSTree
   * a node first copies its chunks of all heads to the switch and finally copies them back ({@code
   * scatter} and {@code gather}, {@code nccl:src/device/all_reduce.h}, 2.28.9); each stage waits
   * for the whole chunk.
   */
  private double fillUs(NetworkCall call, double first, double linksUs) {
    double hopsUs = call.hops() * first * portUsPerByte(call) / call.sends();
    return switch (call.algorithm()) {
      case NVLS -> 0;
      case NVLS_TREE -> hopsUs + 2 * linksUs * first / Math.max(1, call.shareBytes());
      default -> hopsUs + innerUs(call, first);
    };
  }

  /**
   * Time of the first chunk inside nodes. A tree pays for all hops in each call. On a ring,
   * consecutive calls overlap as chunks do, so that only one slow hop counts.
   */
  private static double innerUs(NetworkCall call, double first) {
    boolean isRing = call.algorithm() == Algorithm.RING;
    double shown = isRing ? SHOWN_FILL : 1;
    double onNvlinkUs = shown * call.innerHops() * first * INNER_HOP_PS_PER_BYTE * US_PER_PS;
    int slowHops = isRing ? 1 : call.innerHops();
    return call.innerHops() == 0
        ? 0
        : Math.max(onNvlinkUs, slowHops * first * call.node().hopUsPerByte());
  }

  /**
   * Time of the kernels of sends and receives. Data flows once the transfers with the first peers
   * have started; those with other peers start meanwhile.
   */
  public NetworkTime time(NetworkTransfers call) {
    NetworkConstant share = NetworkConstant.SHARE_PEERS;
    double portPs = portPsPerByte(call.port(), share, Protocol.SIMPLE);
    double networkPs = psPerByte(portPs, call.uplink(), share);
    double portUs = call.bytes() * networkPs * US_PER_PS;
    double channelsUs =
        call.channelBytes() * constants.value(NetworkConstant.CHANNEL_PEERS) * US_PER_PS;
    double connectionUs =
        call.connectionBytes() * constants.value(NetworkConstant.CONNECTION_PEERS) * US_PER_PS;
    int first = Math.min(CONCURRENT_PEERS, call.peers());
    double eachUs =
        constants.value(NetworkConstant.PEERS_EACH) * (call.flush() ? FLUSHED_PEER : 1)
            + call.matched() * constants.value(NetworkConstant.MATCH);
    double stepsUs = constants.value(NetworkConstant.PEERS) + first * eachUs;
    double othersUs = (call.peers() - first) * eachUs;
    double fillUs = constants.value(NetworkConstant.PEERS_FIRST) * call.firstPart() * portUs;
    double messagesUs = stepsUs + othersUs + fillUs;
    Parts parts =
        new Parts(portUs, Math.max(channelsUs, connectionUs), call.linksUs(), messagesUs, 0, 0);
    double transferUs = beside(portUs, channelsUs, call.linksUs(), connectionUs, othersUs);
    return new NetworkTime(0, stepsUs, fillUs, transferUs, parts.limit())
        .withUplink(portPs < networkPs);
  }

  /** Time of the busiest port or uplink for one byte of data of each channel, in microseconds. */
  private double portUsPerByte(NetworkCall call) {
    double port = portPsPerByte(call.port(), NetworkConstant.SHARE, call.protocol());
    return call.protocol().wireFactor()
        * psPerByte(port, call.uplink(), NetworkConstant.SHARE)
        * US_PER_PS;
  }

  /**
   * Time per byte of the slower of a port and an uplink. Uplinks reach the same fraction of their
   * rate as ports.
   */
  private double psPerByte(double portPs, Optional<UplinkLoad> uplink, NetworkConstant share) {
    double part = constants.value(share);
    double atLeast = portPs * part;
    double needed = uplink.map(load -> load.psPerByte(atLeast)).orElse(atLeast);
    return needed > atLeast ? Math.max(portPs, needed / part) : portPs;
  }

  private double portPsPerByte(PortLoad port, NetworkConstant share, Protocol protocol) {
    return port.psPerByte(constants, constants.value(share), maxPortGBps(protocol));
  }

  /** Largest bandwidth of a port at any line rate, in GB/s. */
  private double maxPortGBps(Protocol protocol) {
    return constants.value(
        protocol == Protocol.SIMPLE ? NetworkConstant.PORT : NetworkConstant.PORT_FLAGGED);
  }

  /** The part of the path to the busiest port that limits a collective. */
  public PathLimit pathLimit(NetworkCall call) {
    return call.port()
        .limit(constants, constants.value(NetworkConstant.SHARE), maxPortGBps(call.protocol()));
  }

  /** The part of the path to the busiest port that limits sends and receives. */
  public PathLimit pathLimit(NetworkTransfers call) {
    return call.port()
        .limit(
            constants, constants.value(NetworkConstant.SHARE_PEERS), maxPortGBps(Protocol.SIMPLE));
  }

  /** Combined time of several that overlap: the largest, and more where others are similar. */
  private static double beside(double... times) {
    return overlapped(OVERLAP_SHARPNESS, times);
  }

  /** The p-norm of the times with exponent {@code sharpness}. */
  private static double overlapped(double sharpness, double... times) {
    double largest = 0;
    for (double time : times) {
      largest = Math.max(largest, time);
    }
    if (!(largest > 0)) {
      return 0;
    }
    double sum = 0;
    for (double time : times) {
      sum += Math.pow(time / largest, sharpness);
    }
    return largest * Math.pow(sum, 1 / sharpness);
  }

  /** Times of the parts of a call, and of the call with and without the latency of messages. */
  private record Parts(
      double portUs,
      double channelsUs,
      double linksUs,
      double messagesUs,
      double totalUs,
      double withoutMessagesUs) {
    static final Parts NONE = new Parts(0, 0, 0, 0, 0, 0);

    Parts times(double n) {
      return new Parts(
          n * portUs,
          n * channelsUs,
          n * linksUs,
          n * messagesUs,
          n * totalUs,
          n * withoutMessagesUs);
    }

    Limit limit() {
      double longest = Math.max(Math.max(portUs, channelsUs), Math.max(linksUs, messagesUs));
      if (messagesUs >= longest) {
        return Limit.MESSAGES;
      }
      if (portUs >= longest) {
        return Limit.PORT;
      }
      return channelsUs >= longest ? Limit.CHANNELS : Limit.LINKS;
    }
  }
}
