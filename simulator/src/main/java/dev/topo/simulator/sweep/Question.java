package dev.topo.simulator.sweep;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SourceLocation;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.workload.ScaleRule;
import java.util.List;
import java.util.Optional;

/** A question about each variant; its answer is a row of the results. */
public sealed interface Question {
  String label();

  record OneCall(Operation operation, long bytes) implements Question {
    @Override
    public String label() {
      return operation.ncclTestsName() + " " + QuantityFormat.size(bytes);
    }
  }

  /**
   * The time of all calls of a workload, one after the other.
   *
   * @param calls its calls; at least one
   */
  record Workload(String name, List<Call> calls) implements Question {
    public Workload {
      calls = List.copyOf(calls);
    }

    @Override
    public String label() {
      return name;
    }
  }

  /**
   * The time of the calls that a job's traces have in a step.
   *
   * @param files the traces, as written: names, or patterns of names such as {@code rank*.json.gz}
   * @param scale how the job becomes one of more ranks; empty if it stays as it was traced
   * @param location where the specification has it
   */
  record Traces(String name, List<String> files, Optional<ScaleRule> scale, SourceLocation location)
      implements Question {
    public Traces {
      files = List.copyOf(files);
    }

    @Override
    public String label() {
      return name;
    }
  }

  /**
   * Equal calls of a workload.
   *
   * @param group the ranks that take part in one
   * @param count number of calls
   */
  record Call(Operation operation, long bytes, Group group, long count) {}

  /** The communicator of a call. */
  enum Group {
    /** All ranks of the job. */
    ALL("all"),
    /** The ranks of one node; each node makes the same call. */
    NODE("node");

    private final String label;

    Group(String label) {
      this.label = label;
    }

    /** The name in a specification. */
    public String label() {
      return label;
    }
  }
}
