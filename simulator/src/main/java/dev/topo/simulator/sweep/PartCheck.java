package dev.topo.simulator.sweep;

import java.io.IOException;
import java.util.List;

/**
 * Checks that the rows of a part are those of its variants: each has each question once, in the
 * order of the sweep, with the key of the variant, and the variants of a design have its machine
 * and its values. Used once.
 */
final class PartCheck {
  private final RowOrder order;
  private final long first;
  private final long last;
  private long rows;
  private long failed;
  private String key = "";
  private String machine = "";
  private List<String> values = List.of();

  PartCheck(SweepInfo info, int part) {
    this.order = info.rows();
    this.first = (long) part * info.perPart();
    this.last = Math.min(first + info.perPart(), info.variants()) - 1;
  }

  /** Rows so far. */
  long rows() {
    return rows;
  }

  /** Rows without a time so far. */
  long failed() {
    return failed;
  }

  /**
   * Checks the next row.
   *
   * @throws IOException with what was expected
   */
  void next(ResultRow row) throws IOException {
    int questions = order.questions().size();
    long variant = first + rows / questions;
    if (variant > last) {
      throw new IOException("more rows than those of the variants %d to %d".formatted(first, last));
    }
    if (row.variant() != variant) {
      throw hasNot("variant %d, expected %d".formatted(row.variant(), variant));
    }
    RowOrder.Asked question = order.questions().get((int) (rows % questions));
    if (!question.isOf(row)) {
      throw other(
          "question", new RowOrder.Asked(row.workload(), row.collective(), row.bytes()), question);
    }
    if (!row.fabric().equals(order.fabric(variant))) {
      throw other("fabric", row.fabric(), order.fabric(variant));
    }
    if (row.nodes() != order.nodes(variant)) {
      throw other("nodes", row.nodes(), order.nodes(variant));
    }
    if (rows % questions == 0) {
      key = row.key();
      if (variant % order.variants() == 0) {
        machine = row.machine();
        values = row.values();
      }
    }
    if (!row.key().equals(key)) {
      throw other("key", row.key(), key);
    }
    if (!row.machine().equals(machine) || !row.values().equals(values)) {
      throw other("design", row.machine() + " " + row.values(), machine + " " + values);
    }
    rows++;
    failed += row.outcome().timeUs().isEmpty() ? 1 : 0;
  }

  /**
   * Checks that no row is missing.
   *
   * @throws IOException with what was expected
   */
  void end() throws IOException {
    if (rows != (last - first + 1) * order.questions().size()) {
      throw hasNot("no such row");
    }
  }

  private IOException hasNot(String what) {
    return new IOException("%s: it has not the variants %d to %d".formatted(what, first, last));
  }

  private static IOException other(String what, Object stated, Object expected) {
    return new IOException("%s %s, expected %s".formatted(what, stated, expected));
  }
}
