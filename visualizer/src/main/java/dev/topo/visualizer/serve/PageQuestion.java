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
 * @param machine the id of the machine that edits are about
 * @param nodes hosts of the job that are this machine
 * @param others further hosts, behind them in rank order
 * @param domain hosts of each NVLink domain, 1 without any
 * @param split how ranks are split into communicators, as in {@code MOD 8}; empty for one
 * @param communicator the communicators of a split that are shown, as in {@code 0-3}; the first
 *     where there are no such
 * @param editedNodes how many machines of the job are edited; empty for all
 * @param release the release of NCCL; empty for the default
 * @param settings NCCL's settings before the edits, as {@code NAME=VALUE}
 * @param network the calibration between nodes; empty for the one that fits the ports
 * @param edits the edits in the words of {@code topo whatif}
 * @param operation the collective or other operation
 * @param sizes the sizes as stated
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
  /** From latency to bandwidth in eight steps. */
  static final String USUAL_SIZES = "64K:1G:4";

  /** Larger NVLink domains are not built; a rack has 18 hosts. */
  private static final int MOST_HOSTS = 1000;

  /** More than a user enters by hand. */
  private static final int MOST_EDITS = 200;

  private static final int MOST_SIZES = 64;

  /** More than a user lists by hand. */
  private static final int MOST_OTHERS = 32;

  /**
   * Further hosts of a job.
   *
   * @param machine the id of their machine
   * @param count how many they are
   */
  record Others(String machine, int count) {
    /** As in {@code shipped-dgx-a100*2}. */
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
   * The question of a form.
   *
   * @throws FieldException if a field is invalid
   */
  static PageQuestion of(FormFields form) {
    List<String> edits = form.all("edit");
    if (edits.size() > MOST_EDITS) {
      throw FieldException.of("edit", "expected at most " + MOST_EDITS + " edits");
    }
    List<Others> others = form.all("other").stream().map(Others::of).toList();
    int nodes = within(form, "nodes", Job.MOST_MACHINES);
    if (others.size() > MOST_OTHERS) {
      throw FieldException.of("other", "expected at most " + MOST_OTHERS + " other machines");
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
        within(form, "domain", MOST_HOSTS),
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

  private static int within(FormFields form, String name, int most) {
    int number = form.number(name).orElse(1);
    if (number < 1 || number > most) {
      throw FieldException.of(name, "%s: expected 1 to %s".formatted(number, most));
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

  /** What the job before the edits depends on: equal for questions about the same job. */
  List<Object> unedited() {
    return List.of(machine, nodes, others, domain, split, release, settings, network);
  }

  /** The calls in ascending sizes. */
  List<Call> calls() {
    List<Long> bytes = FieldException.in("sizes", () -> CallSizes.parse(sizes));
    if (bytes.size() > MOST_SIZES) {
      throw FieldException.of("sizes", "expected at most " + MOST_SIZES + " sizes");
    }
    return bytes.stream().map(this::call).toList();
  }

  /** The call of a size in bytes. */
  Call call(long bytes) {
    return Call.of(operation, bytes);
  }
}
