package dev.topo.model.operation;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.CallSizes.ByteSize;
import java.util.stream.Collectors;

/** One call of an operation by all ranks of a communicator. */
public sealed interface Call permits CollectiveCall, PeerCall {
  Operation operation();

  /** Its size in bytes, as nccl-tests counts it. */
  long sizeBytes();

  /** Its name in messages: {@code all_reduce of 1073741824 bytes}. */
  default String title() {
    return operation().ncclTestsName() + " of " + sizeBytes() + " bytes";
  }

  /**
   * A call by itself, as {@link #of(Operation, long)}, by a name and a size as users write them:
   * {@code of("all_reduce", "1G")}.
   *
   * @param operation name of the operation in nccl-tests or NCCL, in any case: {@code all_reduce}
   *     or {@code AllReduce}
   * @param size bytes as {@link ByteSize} reads them: {@code 8}, {@code 64K}, {@code 1.5M}
   * @throws SettingException if there is no such operation, or the size is none or 0
   */
  static Call of(String operation, String size) {
    Operation known =
        Operation.ofName(operation)
            .orElseThrow(
                () ->
                    new SettingException(
                        "operation '%s': expected one of %s"
                            .formatted(
                                operation,
                                Operation.all().stream()
                                    .map(Operation::ncclTestsName)
                                    .collect(Collectors.joining(", ")))));
    long bytes = ByteSize.parse(size);
    if (bytes < 1) {
      throw new SettingException(
          "size '" + size + "': expected 1 byte or more: NCCL does nothing for an empty call");
    }
    return of(known, bytes);
  }

  /**
   * A call by itself: of a collective with the sum of single precision numbers where it reduces, of
   * sends and receives with equal parts.
   */
  static Call of(Operation operation, long sizeBytes) {
    if (operation instanceof PeerOperation peers) {
      return new PeerCall(peers, sizeBytes);
    }
    return CollectiveCall.of((Collective) operation, sizeBytes);
  }

  /**
   * Rejects a size whose type is too small for it, as {@link CollectiveCall#of(Collective, int)}.
   *
   * @param sizeBytes a size that may be the rest of an overflow
   * @deprecated a size is a {@code long}, as in {@code 1L << 32}, or a text
   * @throws IllegalArgumentException always
   */
  @Deprecated(forRemoval = true)
  @SuppressWarnings("DoNotCallSuggester") // its annotation needs a library at run time
  static Call of(Operation operation, int sizeBytes) {
    throw new IllegalArgumentException(
        "size %d of %s is an int, which may have overflowed: expected a long, as in 1L << 32, or a text, as in 4G"
            .formatted(sizeBytes, operation.label()));
  }
}
