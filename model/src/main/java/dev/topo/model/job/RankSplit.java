package dev.topo.model.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Splits the ranks of a job into communicators: ranks of the same colour form one, in rank order.
 * The syntax is as for NCCL_TESTS_SPLIT in nccl-tests: an operation and a number, {@code "AND
 * 0x7"}, {@code "%8"}.
 *
 * @param operation operation applied to a rank
 * @param value second operand
 */
public record RankSplit(Operation operation, int value) implements GroupRule {
  /** The operation that computes the colour of a rank. */
  public enum Operation {
    /** Bitwise AND of rank and value. */
    AND("&"),
    /** Bitwise OR of rank and value. */
    OR("|"),
    /** The remainder of a division. */
    MOD("%"),
    DIV("/");

    private final String symbol;

    Operation(String symbol) {
      this.symbol = symbol;
    }
  }

  /** Checks that the number fits the operation. */
  public RankSplit {
    boolean divides = operation == Operation.MOD || operation == Operation.DIV;
    if (value < (divides ? 1 : 0)) {
      throw new IllegalArgumentException(
          operation + " " + value + ": expected a number from " + (divides ? 1 : 0));
    }
  }

  /**
   * Parses a split; the number is decimal, hexadecimal ({@code 0x}) or binary ({@code 0b}).
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static RankSplit parse(String text) {
    String stripped = text.strip().toUpperCase(Locale.ROOT);
    for (Operation operation : Operation.values()) {
      for (String name : List.of(operation.name(), operation.symbol)) {
        if (stripped.startsWith(name)) {
          return new RankSplit(operation, number(stripped.substring(name.length()).strip(), text));
        }
      }
    }
    throw notASplit(text);
  }

  private static int number(String digits, String text) {
    try {
      if (digits.startsWith("0X")) {
        return Integer.parseInt(digits.substring(2), 16);
      }
      return digits.startsWith("0B")
          ? Integer.parseInt(digits.substring(2), 2)
          : Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw notASplit(text);
    }
  }

  private static IllegalArgumentException notASplit(String text) {
    return new IllegalArgumentException(
        "split '%s': expected AND, OR, MOD or DIV (or & | %% /) and a number, as in 'AND 0x7'"
            .formatted(text));
  }

  public int color(int rank) {
    return switch (operation) {
      case AND -> rank & value;
      case OR -> rank | value;
      case MOD -> rank % value;
      case DIV -> rank / value;
    };
  }

  @Override
  public Map<Integer, List<Integer>> groups(int nRanks) {
    Map<Integer, List<Integer>> groups = new TreeMap<>();
    for (int rank = 0; rank < nRanks; rank++) {
      groups.computeIfAbsent(color(rank), color -> new ArrayList<>()).add(rank);
    }
    return groups;
  }
}
