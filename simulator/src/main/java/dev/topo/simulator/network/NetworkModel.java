package dev.topo.simulator.network;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkCall.NetworkTime;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.PortLoad.PathLimit;
import dev.topo.simulator.timing.TimeEstimate.Overlap;

/**
 * The time of a call between nodes. On a ring the ports, the channels and the links of a node work
 * side by side, while every chunk passes one rank after the other: each rank copies it, and each
 * hop from node to node takes a message of the proxies ({@code sendProxyProgress}, {@code
 * nccl:src/transport/net.cc}). On a tree the first chunk goes up and down hop by hop, between nodes
 * and inside them, and the others follow it. A pure function of its arguments; time and memory do
 * not depend on the size.
 */
public record NetworkModel(NetworkCalibration constants) {
  /** Sharpness of the maximum of ports, channels, links and messages, as inside a node. */
  private static final double SHARPNESS = 5;

  /**
   * That of rings, whose chunks are many and small, so that parts of a call wait less for each
   * other: ports then reach 0.96 of their line rate, as published of large calls.
   */
  private static final double OF_RINGS = 7;

  /**
   * The part of its copy of a chunk that a rank has done when the next one begins with its own: a
   * chunk of Simple has two slices ({@code ALLREDUCE_SLICESTEPS}, {@code
   * nccl:src/include/collectives.h}), and one is on its way meanwhile. Halfway between one slice
   * and both. Chunks of LL and LL128 have no slices.
   */
  private static final double COPIED_BEFORE_NEXT = 0.75;

  /**
   * Bandwidth of ports where a node of a tree of NVLink domains has two children, whose chunks it
   * waits for, as a part of that with one child: of 4 to 32 nodes of 8 H100 on InfiniBand and EFA
   * that no constant is fitted to (docs/accuracy.md).
   */
  private static final double OF_TWO_CHILDREN = 0.9;

  /** Messages of a chunk of Simple on a ring ({@code ALLREDUCE_CHUNKSTEPS}). */
  private static final int SLICES = 2;

  /** Messages for which a connection has buffers ({@code NCCL_STEPS}). */
  private static final int BUFFERS = 8;

  /**
   * Peers whose transfers a channel starts before others ({@code NCCL_MAX_DEV_WORK_P2P_PER_BATCH}).
   */
  private static final int FIRST_PEERS = 8;

  /**
   * Messages that ask for each one beyond the buffers of a connection: on two nodes none of a ring
   * of 7 messages asked, all of one of 14 did (alps, polaris); in between more and more.
   */
  private static final double ASKING_PER_LATE = 2.4;

  /** Messages of a ring from which on all ask. */
  private static final int ALL_LATE =
      (int) Math.ceil(BUFFERS * ASKING_PER_LATE / (ASKING_PER_LATE - 1));

  private static final double US_PER_PS = 1e-6;

  /** Copying of a byte of a chunk from GPU to GPU: NCCL's Simple on H200 (h200-nvswitch). */
  private static final double INNER_HOP_PS_PER_BYTE = 30;

  /** The constants. */
  public NetworkCalibration calibration() {
    return constants;
  }

  /** The time of the kernels of a collective. */
  public NetworkTime time(NetworkCall call) {
    double port = portPsPerByte(call.port(), NetworkConstant.SHARE, call.protocol());
    return kernels(call).withUplink(port < psPerByte(port, call.uplink(), NetworkConstant.SHARE));
  }

  private NetworkTime kernels(NetworkCall call) {
    if (call.algorithm() == Algorithm.PAT) {
      return byPat(call);
    }
    boolean isAround = call.algorithm() == Algorithm.RING && call.roundTrips();
    return isAround ? aroundRing(call) : pipeline(call);
  }

  /**
   * The time below which that of a part of all hashes of flows onto links is.
   *
   * @param part of all hashes
   */
  public double kernelUs(NetworkCall call, double part) {
    return time(call.with(call.uplink().at(part))).kernelUs();
  }

  /** The time for sends and receives. */
  public double kernelUs(NetworkTransfers call, double part) {
    return time(call.with(call.uplink().at(part))).kernelUs();
  }

  /**
   * Of several rounds the last one, which may not be full, counts as the part of a full one that it
   * is: it begins while the one before ends. Measured times have no step there.
   */
  private NetworkTime aroundRing(NetworkCall call) {
    double rounds = call.shareBytes() / ((double) call.chunkBytes() * call.parts());
    Parts parts =
        rounds > 1
            ? round(call, call.chunkBytes()).times(rounds)
            : round(call, (double) call.shareBytes() / call.parts());
    double stepsUs = Math.max(0, parts.totalUs - parts.withoutMessagesUs);
    return new NetworkTime(
        call.node().startUs(), stepsUs, 0, parts.totalUs - stepsUs, parts.limit());
  }

  /**
   * A round in which every part has a number of bytes. The ports are idle while the channels copy
   * the first slice of its first chunk and the last one of its last: two halves of a copy.
   */
  private Parts round(NetworkCall call, double bytes) {
    if (bytes <= 0) {
      return Parts.NONE;
    }
    double part = bytes * call.parts() / call.shareBytes();
    double channelsUs = part * call.node().channelsUs();
    double idleUs = channelsUs / (call.sends() + 1);
    double portUs = bytes * call.sends() * portUsPerByte(call) + idleUs;
    double linksUs = part * call.node().linksUs();
    double messagesUs =
        call.hops() * (ringHopUs(call, bytes) + matchUs(call, bytes)) + reuseUs(call, bytes);
    double askUs = askUs(call, bytes);
    // Software fetches what it has matched.
    double fetchedUs = call.receivers().software() ? askUs : 0;
    double receiverUs = matchedUs(call, bytes) + fetchedUs;
    double copied = call.protocol() == Protocol.SIMPLE ? COPIED_BEFORE_NEXT : 1;
    double chunkUs = messagesUs + copied * channelsUs;
    return new Parts(
        portUs,
        channelsUs,
        linksUs,
        Math.max(messagesUs, askUs),
        besideOf(OF_RINGS, portUs + askUs, channelsUs, linksUs, chunkUs, receiverUs),
        besideOf(OF_RINGS, portUs, channelsUs, linksUs, chunkUs - messagesUs));
  }

  /**
   * A hop of a ring with a message that holds so many bytes of data. Each connection carries all
   * messages of a round one after the other, so that their copies are divided among its hops.
   */
  private double ringHopUs(NetworkCall call, double bytes) {
    double copiesUs = hostCopyUs(call.protocol(), bytes) * call.sends() / call.hops();
    return hopUs(
        latencyUs(call.protocol(), NetworkConstant.STEP) + copiesUs,
        bytes * wireFactor(call.protocol()));
  }

  /**
   * Time that the messages of a ring wait for buffers that earlier ones have used, by LL and LL128.
   * Those that are sent without asking do not wait; a ring of more ranks, whose messages are
   * smaller, waits as long as each shorter ring for as much data.
   */
  private double reuseUs(NetworkCall call, double bytes) {
    if (call.protocol() == Protocol.SIMPLE || call.sends() <= BUFFERS) {
      return 0;
    }
    double again = (call.sends() - BUFFERS) * asked(call.protocol(), bytes);
    double dataBytes = bytes * (call.sends() + 1);
    double eagerBytes = constants.value(NetworkConstant.EAGER) / wireFactor(call.protocol());
    int most = (int) Math.min(call.sends(), dataBytes / eagerBytes);
    for (int sends = BUFFERS + 1; sends < most && again < sends; sends++) {
      double part = asked(call.protocol(), dataBytes / (sends + 1));
      again = Math.max(again, (sends - BUFFERS) * part);
    }
    return again * constants.value(NetworkConstant.REUSE);
  }

  /**
   * Time of a port for the messages of a round that ask first, beside their data: software fetches
   * those of all channels one after the other. Hardware that matches fetches by itself what finds
   * its buffer. Rings by LL on Slingshot took half as long on half as many channels
   * (docs/accuracy.md). A ring of more ranks, whose messages are smaller, takes as long as each
   * shorter ring for as much data.
   */
  private double askUs(NetworkCall call, double bytes) {
    double eager = constants.value(NetworkConstant.EAGER);
    boolean isSentAlike = eager <= NetworkConstant.EAGER.typical();
    if (call.protocol() == Protocol.SIMPLE || isSentAlike) {
      return 0;
    }
    double eagerMessages = bytes * (call.sends() + 1) * wireFactor(call.protocol()) / eager;
    int first = Math.min(call.sends(), Math.max(1, (int) (eagerMessages / 2) - 1));
    double asking = 0;
    for (int sends = first; sends <= Math.min(call.sends(), Math.max(first, ALL_LATE)); sends++) {
      // All ask that are twice as large as what is sent without asking; in between more and more.
      double part = Math.min(1, Math.max(0, eagerMessages / (sends + 1) - 1));
      double late = ASKING_PER_LATE * Math.max(0, sends - BUFFERS);
      double fetched = call.receivers().software() ? sends : Math.min(sends, late);
      asking = Math.max(asking, part * fetched);
    }
    return asking * Math.max(1, call.port().flows()) * constants.value(NetworkConstant.ASK);
  }

  /** 0 for messages that are sent without asking, 1 for those that take as long as all others. */
  private double asked(Protocol protocol, double bytes) {
    double asking = latencyUs(protocol, NetworkConstant.STEP);
    double eager = constants.value(NetworkConstant.HOP_EAGER);
    double us = hopUs(asking, bytes * wireFactor(protocol));
    return us >= asking ? 1 : Math.max(0, (us - eager) / (asking - eager));
  }

  /** A hop of a pipeline with a message that holds so many bytes of data. */
  private double pipelineHopUs(NetworkCall call, double bytes) {
    return isNvls(call)
        ? constants.value(NetworkConstant.HOP_NVLS)
        : flushUs(call)
            + matchUs(call, bytes)
            + hopUs(
                latencyUs(call.protocol(), NetworkConstant.HOP_TREE)
                    + hostCopyUs(call.protocol(), bytes),
                bytes * wireFactor(call.protocol()));
  }

  private double flushUs(NetworkCall call) {
    boolean waits = call.receivers().flush() && call.protocol() == Protocol.SIMPLE;
    return waits ? constants.value(NetworkConstant.FLUSH) : 0;
  }

  /**
   * Time of the receiver of a connection for the messages of a round that its software matches: of
   * all channels of a port one after the other.
   */
  private double matchedUs(NetworkCall call, double bytes) {
    return call.receivers().matched(1 - asked(call.protocol(), bytes))
        * call.sends()
        * Math.max(1, call.port().flows())
        * constants.value(NetworkConstant.MATCH);
  }

  /** Time that software of the receiver adds to a hop: a message that asks first is two. */
  private double matchUs(NetworkCall call, double bytes) {
    boolean isSliced = call.roundTrips() && call.protocol() == Protocol.SIMPLE;
    double messages = (isSliced ? SLICES : 1) * (1 + asked(call.protocol(), bytes));
    return call.receivers().software() ? messages * constants.value(NetworkConstant.MATCH) : 0;
  }

  /** The copies of a message of LL to and from the memory of the hosts. */
  private double hostCopyUs(Protocol protocol, double bytes) {
    return protocol == Protocol.LL
        ? bytes * wireFactor(protocol) * constants.value(NetworkConstant.COPY_LL) * US_PER_PS
        : 0;
  }

  private double latencyUs(Protocol protocol, NetworkConstant ofSimple) {
    return constants.value(
        switch (protocol) {
          case LL -> NetworkConstant.STEP_LL;
          case LL128 -> NetworkConstant.STEP_LL128;
          case SIMPLE -> ofSimple;
        });
  }

  /**
   * A hop with a message of so many bytes on the wire. Above the size below which messages are sent
   * without asking it grows with the size up to that of others: so times have no step, and half as
   * many bytes on twice as many hops are not faster.
   */
  private double hopUs(double asking, double bytes) {
    double ratio = bytes / constants.value(NetworkConstant.EAGER);
    return Math.min(asking, constants.value(NetworkConstant.HOP_EAGER) * Math.max(1, ratio));
  }

  private static boolean isNvls(NetworkCall call) {
    return call.algorithm().isNvls();
  }

  /** Parallel aggregated trees: the messages of a call are one after the other, its data is not. */
  private NetworkTime byPat(NetworkCall call) {
    double portUs = (double) call.shareBytes() * call.sends() * portUsPerByte(call);
    double stepsUs = call.hops() * latencyUs(call.protocol(), NetworkConstant.STEP);
    double channelsUs = call.node().channelsUs();
    Parts parts = new Parts(portUs, channelsUs, 0, stepsUs, 0, 0);
    return new NetworkTime(
        call.node().startUs(), stepsUs, 0, beside(portUs, channelsUs), parts.limit());
  }

  /**
   * Along a ring from or to one rank, or up and down a tree. A tree of NVLink domains sends a chunk
   * up when the one before has arrived: its chunks take a hop each at least.
   */
  private NetworkTime pipeline(NetworkCall call) {
    double first = Math.min(call.chunkBytes(), call.shareBytes());
    double hopUs = pipelineHopUs(call, first);
    double chunksUs = isNvls(call) && first > 0 ? chunksUs(call.shareBytes() / first, hopUs) : 0;
    double ofPort = isNvls(call) && call.sends() > 1 ? OF_TWO_CHILDREN : 1;
    double portUs = call.shareBytes() * portUsPerByte(call) / ofPort;
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
   * The messages of the chunks of a tree of NVLink domains. Those for which there are buffers wait
   * for each other; behind them what the network takes longer than InfiniBand for a message is on
   * its way beside others.
   */
  private static double chunksUs(double chunks, double hopUs) {
    double others = Math.max(0, chunks - BUFFERS);
    return Math.min(chunks, BUFFERS) * hopUs
        + others * Math.min(hopUs, NetworkConstant.HOP_NVLS.typical());
  }

  /**
   * The time of the first chunk beside the latency of messages: it crosses each hop at the rate of
   * the ports and is copied on each node, no faster than the links between its GPUs carry. By
   * NVLSTree a node first has its chunks of all heads copied to the switch, and at last copied back
   * ({@code scatter} and {@code gather}, {@code nccl:src/device/all_reduce.h}, 2.28.9), and each
   * stage waits for the whole chunk.
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
   * The time of the first chunk inside nodes. Trees pay for all hops in each call; on a ring calls
   * follow each other as chunks do, so that one slow hop counts once.
   */
  private static double innerUs(NetworkCall call, double first) {
    double onNvlinkUs = call.innerHops() * first * INNER_HOP_PS_PER_BYTE * US_PER_PS;
    int slowHops = call.algorithm() == Algorithm.RING ? 1 : call.innerHops();
    return call.innerHops() == 0
        ? 0
        : Math.max(onNvlinkUs, slowHops * first * call.node().hopUsPerByte());
  }

  /**
   * The time of the kernels of sends and receives. Data flows when the transfers of the first peers
   * have started; the others start beside it.
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
    int first = Math.min(FIRST_PEERS, call.peers());
    double eachUs =
        constants.value(NetworkConstant.PER_PEER)
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

  /** Time of the busiest port or uplink for one byte of each channel. */
  private double portUsPerByte(NetworkCall call) {
    double port = portPsPerByte(call.port(), NetworkConstant.SHARE, call.protocol());
    return wireFactor(call.protocol())
        * psPerByte(port, call.uplink(), NetworkConstant.SHARE)
        * US_PER_PS;
  }

  /** Uplinks reach the part of their rate that ports do, and wait for no more than they carry. */
  private double psPerByte(double portPs, UplinkLoad uplink, NetworkConstant share) {
    double part = constants.value(share);
    double atLeast = portPs * part;
    double needed = uplink.psPerByte(atLeast);
    return needed > atLeast ? Math.max(portPs, needed / part) : portPs;
  }

  private double portPsPerByte(PortLoad port, NetworkConstant share, Protocol protocol) {
    return port.psPerByte(constants, constants.value(share), mostGBps(protocol));
  }

  /** The rate of a port beyond which no line rate helps. */
  private double mostGBps(Protocol protocol) {
    return constants.value(
        protocol == Protocol.SIMPLE ? NetworkConstant.PORT : NetworkConstant.PORT_FLAGGED);
  }

  /** The part of the path to the busiest port of a collective that limits it. */
  public PathLimit pathLimit(NetworkCall call) {
    return call.port()
        .limit(constants, constants.value(NetworkConstant.SHARE), mostGBps(call.protocol()));
  }

  /** The part of the path to the busiest port of sends and receives that limits it. */
  public PathLimit pathLimit(NetworkTransfers call) {
    return call.port()
        .limit(constants, constants.value(NetworkConstant.SHARE_PEERS), mostGBps(Protocol.SIMPLE));
  }

  /** Bytes that go over a link for each byte of data. */
  private static double wireFactor(Protocol protocol) {
    return switch (protocol) {
      case LL -> 2.0;
      case LL128 -> 128.0 / 120.0;
      case SIMPLE -> 1.0;
    };
  }

  /** The largest of times that overlap, and more than that where others are similar. */
  private static double beside(double... times) {
    return besideOf(SHARPNESS, times);
  }

  private static double besideOf(double sharpness, double... times) {
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
      double most = Math.max(Math.max(portUs, channelsUs), Math.max(linksUs, messagesUs));
      if (messagesUs >= most) {
        return Limit.MESSAGES;
      }
      if (portUs >= most) {
        return Limit.PORT;
      }
      return channelsUs >= most ? Limit.CHANNELS : Limit.LINKS;
    }
  }
}
