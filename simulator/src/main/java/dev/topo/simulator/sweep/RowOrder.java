package dev.topo.simulator.sweep;

import java.util.List;
import java.util.Objects;

/**
 * The order of the rows of a design: for each fabric the numbers of nodes, for each of these the
 * questions.
 *
 * @param fabrics the names of the fabrics
 * @param nodes the numbers of nodes
 * @param questions the calls and workloads
 */
public record RowOrder(List<String> fabrics, List<Integer> nodes, List<Asked> questions) {
  public RowOrder {
    fabrics = List.copyOf(fabrics);
    nodes = List.copyOf(nodes);
    questions = List.copyOf(questions);
  }

  /**
   * A call or a workload, as a row has it.
   *
   * @param workload name of the workload; empty for a single call
   * @param collective the operation as nccl-tests spells it; empty for a workload
   * @param bytes size of the call; 0 for a workload
   */
  public record Asked(String workload, String collective, long bytes) {
    public Asked {
      workload = Objects.requireNonNullElse(workload, "");
      collective = Objects.requireNonNullElse(collective, "");
    }

    /** The question as rows state it. */
    public static Asked of(Question question) {
      return question instanceof Question.OneCall call
          ? new Asked("", call.operation().ncclTestsName(), call.bytes())
          : new Asked(question.label(), "", 0);
    }

    /** True if a row answers it. */
    boolean isOf(ResultRow row) {
      return bytes == row.bytes()
          && collective.equals(row.collective())
          && workload.equals(row.workload());
    }

    /** The name of the workload, or the call with its size. */
    @Override
    public String toString() {
      return workload.isEmpty() ? collective + " of " + bytes + " bytes" : workload;
    }
  }

  /** The order of the rows of a sweep. */
  public static RowOrder of(SweepSpec spec) {
    return new RowOrder(
        spec.fabrics().stream().map(Switches::name).toList(),
        spec.nodes(),
        spec.questions().stream().map(Asked::of).toList());
  }

  /** Variants of a design. */
  long variants() {
    return (long) fabrics.size() * nodes.size();
  }

  /** The fabric of a variant. */
  String fabric(long variant) {
    return fabrics.get((int) (variant % variants() / nodes.size()));
  }

  int nodes(long variant) {
    return nodes.get((int) (variant % nodes.size()));
  }
}
