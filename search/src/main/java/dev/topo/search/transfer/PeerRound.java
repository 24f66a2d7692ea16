package dev.topo.search.transfer;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A round of a rank, in which it sends to one rank and receives from one.
 *
 * @param number its index in the schedule of all ranks
 * @param firstChannel the channel of the first part of its transfers
 * @param allChannels channels of sends and receives, a power of two
 * @param spreadsParts whether the parts of a transfer are on distant channels, not on consecutive
 *     ones
 * @param send the transfer that it sends, if any
 * @param receive the transfer that it receives, if any
 */
public record PeerRound(
    int number,
    int firstChannel,
    int allChannels,
    boolean spreadsParts,
    Optional<Transfer> send,
    Optional<Transfer> receive) {

  /** The channels of a transfer of this round, in the order of its parts. */
  public List<Integer> channels(Transfer transfer) {
    return channels(transfer.nChannels()).boxed().toList();
  }

  /** The transfers, the send first. */
  public Stream<Transfer> transfers() {
    return Stream.of(send, receive).flatMap(Optional::stream);
  }

  IntStream channels() {
    return channels(transfers().mapToInt(Transfer::nChannels).max().orElse(0));
  }

  /** {@code ncclP2pChannelForPart}, {@code nccl:src/include/device.h}. */
  IntStream channels(int parts) {
    int bits = Integer.numberOfTrailingZeros(allChannels);
    return IntStream.range(0, parts)
        .map(part -> spreadsParts ? reversed(part, bits) : part)
        .map(part -> firstChannel + part & allChannels - 1);
  }

  /** The last bits of a number in reverse order. */
  static int reversed(int number, int bits) {
    return bits == 0 ? 0 : Integer.reverse(number) >>> Integer.SIZE - bits;
  }
}
