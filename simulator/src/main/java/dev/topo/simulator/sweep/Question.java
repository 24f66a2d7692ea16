package dev.topo.simulator.sweep;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.workload.ScaleRule;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A question about each variant of a sweep. Its answer is a row of the results. */
public sealed interface Question {
  String label();

  /**
   * The time of a call.
   *
   * @param group the ranks that take part in it
   */
  record OneCall(Operation operation, long bytes, Group group) implements Question {
    @Override
    public String label() {
      return operation.ncclTestsName() + " " + QuantityFormat.size(bytes) + group.suffix();
    }
  }

  /**
   * The time of all calls of a workload, in sequence.
   *
   * @param calls the calls; at least one
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
   * The time of the calls in a step of a traced job.
   *
   * @param files names of the traces as written, or patterns such as {@code rank*.json.gz}
   * @param scale rule that scales the job to more ranks; empty to keep its size
   * @param location location of the workload in the specification
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

  /**
   * The communicators that make a call, each on its own ranks.
   *
   * @param label name in a specification: {@code all}, {@code node}, or the rule of a split
   * @param rule rule of the split; empty for {@code all} and {@code node}
   */
  record Group(String label, Optional<GroupRule> rule) {
    /** All ranks of the job. */
    static final Group ALL = new Group("all", Optional.empty());

    /** The ranks of one node; each node makes the same call. */
    static final Group NODE = new Group("node", Optional.empty());

    /**
     * Parses {@code all}, {@code node}, or a rule as in NCCL_TESTS_SPLIT.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    static Group parse(String text) {
      return Stream.of(ALL, NODE)
          .filter(group -> group.label.equals(text))
          .findFirst()
          .orElseGet(() -> new Group(text, Optional.of(GroupRule.parse(text))));
    }

    /**
     * The ranks of each communicator.
     *
     * @param job the job; its machines are equal
     * @throws SettingException if the rule names a rank that the job does not have
     */
    List<List<Integer>> ranks(Job job) {
      if (rule.isPresent()) {
        try {
          return List.copyOf(rule.get().groups(job.nRanks()).values());
        } catch (IllegalArgumentException e) {
          throw new SettingException("group " + label + ": " + e.getMessage(), e);
        }
      }
      int size = equals(NODE) ? job.first().nRanks() : job.nRanks();
      return IntStream.range(0, job.nRanks() / size)
          .mapToObj(group -> IntStream.range(group * size, (group + 1) * size).boxed().toList())
          .toList();
    }

    private String suffix() {
      return equals(ALL) ? "" : " in groups " + label;
    }
  }
}
