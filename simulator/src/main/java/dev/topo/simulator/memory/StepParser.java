package dev.topo.simulator.memory;

import dev.topo.model.Labels;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.CallPaths.Buffers;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses and formats the steps in tables of measured memory. */
final class StepParser {
  private static final Pattern CALL =
      Pattern.compile("([a-z_]+) (\\d+) ?(B|KiB|MiB|GiB)(?: (registered|symmetric))?");

  private static final Pattern ALLOCATION =
      Pattern.compile("ncclMemAlloc (\\d{1,3}) x (\\d+) ?(B|KiB|MiB|GiB)");

  private StepParser() {}

  /**
   * Parses a step such as {@code split all_reduce 256 MiB}.
   *
   * @throws IllegalArgumentException if the text is not a step, with what is expected
   */
  static MemoryStep parse(String text) {
    String stripped = text.strip();
    Matcher allocation = ALLOCATION.matcher(stripped);
    if (allocation.matches()) {
      return new MemoryStep.Allocation(
          Integer.parseInt(allocation.group(1)), bytes(allocation.group(2), allocation.group(3)));
    }
    if (stripped.equals("init")) {
      return new MemoryStep.Init();
    }
    Optional<MemoryStep> named =
        Stream.concat(
                Arrays.stream(MemoryStep.Group.values())
                    .filter(group -> group != MemoryStep.Group.JOB)
                    .map(group -> (MemoryStep) new MemoryStep.Split(group)),
                Arrays.stream(MemoryStep.OfBuffers.values()))
            .filter(step -> step.label().equals(stripped))
            .findFirst();
    return named.orElseGet(() -> call(stripped));
  }

  private static MemoryStep call(String text) {
    MemoryStep.Group group =
        Stream.of(
                MemoryStep.Group.SPLIT_HALVES, MemoryStep.Group.SPLIT_SHARE, MemoryStep.Group.SPLIT)
            .filter(memoryGroup -> text.startsWith(memoryGroup.prefix()))
            .findFirst()
            .orElse(MemoryStep.Group.JOB);
    Matcher call = CALL.matcher(text.substring(group.prefix().length()));
    if (!call.matches()) {
      throw unknown(text);
    }
    long bytes = bytes(call.group(2), call.group(3));
    Buffers buffers =
        Labels.exact(Buffers.values(), Buffers::label, call.group(4)).orElse(Buffers.PLAIN);
    for (Collective collective : Collective.values()) {
      if (collective.ncclTestsName().equals(call.group(1))) {
        return new MemoryStep.CollectiveStep(group, CollectiveCall.of(collective, bytes), buffers);
      }
    }
    for (PeerOperation operation : PeerOperation.values()) {
      if (operation.ncclTestsName().equals(call.group(1))
          && operation.isOneCall()
          && buffers == Buffers.PLAIN) {
        return new MemoryStep.PeerStep(group, operation, bytes);
      }
    }
    throw unknown(text);
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(
        "'%s' is no step, expected as in init, all_reduce 256 MiB, alltoall 1 MiB, split, split share all_reduce 8 B, ncclMemAlloc 2 x 256 MiB, register, all_reduce 1 MiB registered or windows"
            .formatted(text));
  }

  private static long bytes(String number, String unit) {
    int shift =
        switch (unit) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 0;
        };
    try {
      return Math.multiplyExact(Long.parseLong(number), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s %s: expected a size below 8 EiB".formatted(number, unit), e);
    }
  }

  /** Text of a size in steps: {@code 8 B}, {@code 256 MiB}. */
  static String size(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    long number = bytes;
    while (unit < units.length - 1 && number > 0 && number % 1024 == 0) {
      number /= 1024;
      unit++;
    }
    return number + " " + units[unit];
  }
}
