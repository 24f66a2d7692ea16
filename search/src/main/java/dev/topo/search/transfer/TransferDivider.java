package dev.topo.search.transfer;

import dev.topo.model.Rounding;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.path.Transport;
import dev.topo.search.rules.LaunchRules.TransferRules;
import dev.topo.search.rules.LaunchRules.TransferRules.Division;
import dev.topo.search.rules.NcclProfile;

/**
 * Determines the protocol, the channels and the chunk size of a transfer ({@code addP2pToPlan},
 * {@code nccl:src/enqueue.cc}).
 */
final class TransferDivider {
  private static final int CHUNK_BITS = 4;

  private final TransferRules rules;
  private final BufferSizes buffers;
  private final int steps;
  private final boolean severalNodes;
  private final int minChannels;
  private final int maxChannels;
  private final long llBytes;
  private final int statedChunk;
  private final boolean llOverNetwork;

  /**
   * Creates a divider for the ranks of a node.
   *
   * @param settings the settings, including the defaults of the release
   */
  TransferDivider(
      NcclProfile profile,
      NcclSettings settings,
      BufferSizes buffers,
      P2pChannels channels,
      int nRanks,
      boolean severalNodes) {
    this.rules = profile.transfers();
    this.buffers = buffers;
    this.steps = profile.buffers().steps;
    this.severalNodes = severalNodes;
    this.maxChannels = channels.nChannelsPerPeer();
    this.minChannels = channelsForAllRanks(channels, nRanks);
    this.llBytes = settings.longInteger("NCCL_P2P_LL_THRESHOLD", 0);
    this.statedChunk = settings.integer("NCCL_CHUNK_SIZE", 0);
    this.llOverNetwork = hasLlOverNetwork(settings);
  }

  /** True if the network has LL buffers: always without shared buffers, otherwise on request. */
  static boolean hasLlOverNetwork(NcclSettings settings) {
    return settings.integer("NCCL_ALLOC_P2P_NET_LL_BUFFERS", 0) == 1
        || settings.integer("NCCL_NET_SHARED_BUFFERS", 1) == 0;
  }

  /**
   * The number of channels per peer, halved until transfers to all ranks can have separate
   * channels; at least 1.
   */
  private static int channelsForAllRanks(P2pChannels channels, int nRanks) {
    int perPeer = channels.nChannelsPerPeer();
    while ((long) perPeer * nRanks > channels.nChannels() && perPeer > 1) {
      perPeer /= 2;
    }
    return perPeer;
  }

  /** Divides a transfer of {@code bytes} bytes, which may be 0. */
  Transfer divide(int peer, long bytes, Transport transport) {
    boolean hasLl = transport != Transport.COPY && (transport != Transport.NET || llOverNetwork);
    boolean channelsFirst = rules.division == Division.CHANNELS_FIRST;
    int channels = channelsFirst ? channels(bytes, buffers.p2pChunk()) : maxChannels;
    boolean ll = hasLl && bytes <= channels * llBytes;
    int step = ll ? buffers.ll() / steps : buffers.p2pChunk();
    return new Transfer(
        peer,
        bytes,
        transport,
        ll ? Protocol.LL : Protocol.SIMPLE,
        channelsFirst ? channels : channels(bytes, step),
        chunk(bytes, step, ll, transport == Transport.NET));
  }

  private int channels(long bytes, int step) {
    if (bytes == 0) {
      return 1;
    }
    int leastPart = rules.leastPart(step, severalNodes);
    requireSize(leastPart, step);
    int channels = (int) Math.min(minChannels, Rounding.quotientUp(bytes, leastPart));
    long part = Math.max(leastPart, Rounding.quotientUp(bytes, channels));
    while (part > rules.mostPart(step, severalNodes) && channels <= maxChannels / 2) {
      channels *= 2;
      part = Rounding.quotientUp(bytes, channels);
    }
    return channels;
  }

  private int chunk(long bytes, int step, boolean ll, boolean network) {
    int chunk = step;
    if (statedChunk > step && !ll) {
      throw new SettingException(
          "NCCL_CHUNK_SIZE=%s: more than a step of %s bytes, so that data of sends is wrong (NCCL issue 2408)"
              .formatted(statedChunk, step));
    } else if (statedChunk != 0) {
      chunk = statedChunk;
    } else if (network && !ll && bytes < step) {
      chunk /= 4;
    } else if (network && bytes < 8L * step) {
      chunk /= 2;
    }
    int encoded = leadingBits(ll ? chunk / 2 : chunk);
    if (bytes > 0) {
      requireSize(encoded, statedChunk == 0 ? step : statedChunk);
    }
    return encoded;
  }

  /**
   * Rejects a size of 0: NCCL divides by it, and a kernel with chunks of 0 bytes does not end.
   *
   * @param chunk the chunk size from which the size is derived, for the message
   */
  private static void requireSize(int bytes, int chunk) {
    if (bytes <= 0) {
      throw new SettingException(
          "chunks of "
              + chunk
              + " bytes for sends and receives: NCCL cannot divide them, expected a larger NCCL_BUFFSIZE,"
              + " NCCL_LL_BUFFSIZE, NCCL_CHUNK_SIZE or NCCL_P2P_*_CHUNKSIZE");
    }
  }

  /** NCCL keeps the first four bits of the size of a chunk ({@code u32fp8Encode}). */
  private static int leadingBits(int size) {
    int dropped = Integer.SIZE - CHUNK_BITS - Integer.numberOfLeadingZeros(size | 1);
    return dropped <= 0 ? size : size >>> dropped << dropped;
  }
}
