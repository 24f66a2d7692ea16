package dev.topo.visualizer.serve;

import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Job;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import java.util.List;
import java.util.Optional;

/**
 * The question of a page: a job, edits of one of its machines, and the calls whose busbw is shown.
 *
 * @param machine the id of the machine that is edited
 * @param nodes the number of hosts of this machine in the job
 * @param others further hosts, which follow in rank order
 * @param domain the number of hosts in each NVLink domain; 1 for no domains
 * @param split how ranks are split into communicators, such as {@code MOD 8}; empty for no split
 * @param communicator the communicators of a split that are shown, such as {@code 0-3}; if absent
 *     or unknown, the first
 * @param editedNodes how many machines of the job are edited; empty for all
 * @param release the release of NCCL; empty for the default
 * @param settings NCCL's settings before the edits, as {@code NAME=VALUE}
 * @param network the calibration between nodes; empty for the one that fits the ports
 * @param edits the edits in the words of {@code topo whatif}
 * @param operation the collective or other operation
 * @param sizes the sizes as entered
 * @param graph the graph whose channel is drawn; empty for none
 * @param channel the number of that channel
 */
record PageQuestion(
    String machine,
    int nodes,
    List<Others> others,
    int domain,
    Optional<String> split,
    Optional<String> communicator,
    Optional<Integer> editedNodes,
    Optional<String> release,
    List<String> settings,
    Optional<String> network,
    List<String> edits,
    Operation operation,
    String sizes,
    Optional<GraphKind> graph,
    int channel) {
  /** Eight sizes, from latency-bound to bandwidth-bound. */
  static final String USUAL_SIZES = "64K:1G:4";

  /** Maximum number of hosts in an NVLink domain; a rack has 18. */
  private static final int MAX_DOMAIN_HOSTS = 1000;

  /** More edits than a user enters by hand. */
  private static final int MAX_EDITS = 200;

  private static final int MAX_SIZES = 64;

  /** More machines than a user lists by hand. */
  private static final int MAX_OTHERS = 32;

  /**
   * Further hosts of a job.
   *
   * @param machine the id of their machine
   * @param count their number
   */
  record Others(String machine, int count) {
    /** Parses text such as {@code shipped-dgx-a100*2}. */
    private static Others of(String text) {
      String[] parts = text.split("\\*", 2);
      String count = parts.length == 1 ? "1" : parts[1].strip();
      if (!count.matches("\\d{1,6}") || Integer.parseInt(count) < 1) {
        throw FieldException.of(
            "other", "'%s': expected a number of nodes, 1 or more".formatted(count));
      }
      return new Others(parts[0].strip(), Integer.parseInt(count));
    }
  }

  PageQuestion {
    others = List.copyOf(others);
    settings = List.copyOf(settings);
    edits = List.copyOf(edits);
  }

  /**
   * Reads the question from a form.
   *
   * @throws FieldException if a field is invalid
   */
  static PageQuestion of(FormFields form) {
    List<String> edits = form.all("edit");
    if (edits.size() > MAX_EDITS) {
      throw FieldException.of("edit", "expected at most " + MAX_EDITS + " edits");
    }
    List<Others> others = form.all("other").stream().map(Others::of).toList();
    int nodes = within(form, "nodes", Job.MOST_MACHINES);
    if (others.size() > MAX_OTHERS) {
      throw FieldException.of("other", "expected at most " + MAX_OTHERS + " other machines");
    }
    if (nodes + others.stream().mapToLong(Others::count).sum() > Job.MOST_MACHINES) {
      throw FieldException.of("other", "expected at most " + Job.MOST_MACHINES + " nodes in all");
    }
    if (!others.isEmpty() && form.one("split").isPresent()) {
      throw FieldException.of(
          "split", "the page splits jobs of equal machines; the command line those of others, too");
    }
    return new PageQuestion(
        form.one("machine").orElseThrow(() -> FieldException.of("machine", "expected a machine")),
        nodes,
        others,
        within(form, "domain", MAX_DOMAIN_HOSTS),
        form.one("split"),
        form.one("communicator"),
        form.number("editedNodes"),
        form.one("release"),
        form.all("env"),
        form.one("network"),
        edits,
        operation(form.one("collective").orElse(Collective.ALL_REDUCE.ncclTestsName())),
        form.one("sizes").orElse(USUAL_SIZES),
        form.one("graph").map(PageQuestion::graph),
        form.number("channel").orElse(0));
  }

  private static int within(FormFields form, String name, int max) {
    int number = form.number(name).orElse(1);
    if (number < 1 || number > max) {
      throw FieldException.of(name, "%s: expected 1 to %s".formatted(number, max));
    }
    return number;
  }

  private static Operation operation(String name) {
    return Operation.ofName(name)
        .filter(Operation::isOneCall)
        .orElseThrow(
            () -> FieldException.of("collective", "'" + name + "': expected one of nccl-tests"));
  }

  private static GraphKind graph(String label) {
    return GraphKind.ofLabel(label)
        .orElseThrow(
            () ->
                FieldException.of(
                    "graph",
                    "'%s': expected %s"
                        .formatted(
                            label,
                            QuantityFormat.joined(
                                ", ", List.of(GraphKind.values()), GraphKind::label))));
  }

  /** The fields that determine the job before the edits; equal for questions about the same job. */
  List<Object> unedited() {
    return List.of(machine, nodes, others, domain, split, release, settings, network);
  }

  /** The calls in ascending order of size. */
  List<Call> calls() {
    List<Long> bytes = FieldException.in("sizes", () -> CallSizes.parse(sizes));
    if (bytes.size() > MAX_SIZES) {
      throw FieldException.of("sizes", "expected at most " + MAX_SIZES + " sizes");
    }
    return bytes.stream().map(this::call).toList();
  }

  /** The call of a size in bytes. */
  Call call(long bytes) {
    return Call.of(operation, bytes);
  }
}
