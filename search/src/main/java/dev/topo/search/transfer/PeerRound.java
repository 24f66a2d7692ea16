package dev.topo.search.transfer;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A round of a rank, in which it sends to one rank and receives from one.
 *
 * @param number index of the round in the schedule
 * @param firstChannel the channel of the first part of its transfers
 * @param allChannels number of channels for sends and receives, a power of two
 * @param spreadsParts whether the parts of a transfer are on distant channels instead of
 *     consecutive ones
 * @param send the send, if any
 * @param receive the receive, if any
 */
public record PeerRound(
    int number,
    int firstChannel,
    int allChannels,
    boolean spreadsParts,
    Optional<Transfer> send,
    Optional<Transfer> receive) {

  /** The channels of a transfer of this round, in the order of the transfer's parts. */
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

  /**
   * The channels of the first {@code parts} parts of a transfer ({@code ncclP2pChannelForPart},
   * {@code nccl:src/include/device.h}).
   */
  IntStream channels(int parts) {
    int bits = Integer.numberOfTrailingZeros(allChannels);
    return IntStream.range(0, parts)
        .map(part -> spreadsParts ? reversed(part, bits) : part)
        .map(part -> firstChannel + part & allChannels - 1);
  }

  /** The lowest {@code bits} bits of a number in reverse order. */
  static int reversed(int number, int bits) {
    return bits == 0 ? 0 : Integer.reverse(number) >>> Integer.SIZE - bits;
  }
}
