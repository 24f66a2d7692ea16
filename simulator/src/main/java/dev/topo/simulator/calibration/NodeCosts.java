package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The {@link NodeCost}s and where they come from.
 *
 * @param origin on which machine they were measured, when, with which NCCL
 * @param machine the kind of machine, as {@link CalibrationChoice} names it
 * @param values every cost in its unit
 */
public record NodeCosts(String origin, String machine, Map<NodeCost, Double> values) {
  /** GPUs of the machine that they were measured on. */
  public static final int MEASURED_GPUS = 2;

  private static final String FILE = "node-costs.txt";
  private static final NodeCosts SHIPPED = read();

  public NodeCosts {
    values = MeasuredConstant.complete(NodeCost.class, values, "");
  }

  /** Those that come with topo. */
  public static NodeCosts shipped() {
    return SHIPPED;
  }

  /** A cost in its unit. */
  public double value(NodeCost cost) {
    return Objects.requireNonNull(values.get(cost));
  }

  public NodeCosts with(NodeCost cost, double value) {
    Map<NodeCost, Double> changed = new EnumMap<>(values);
    changed.put(cost, value);
    return new NodeCosts(origin, machine, changed);
  }

  private static NodeCosts read() {
    Map<NodeCost, Double> values = new EnumMap<>(NodeCost.class);
    for (NodeCost cost : NodeCost.values()) {
      List<String> words = ResourceTable.rows(NodeCosts.class, FILE, cost.label()).get(0);
      if (!words.get(1).equals(cost.unit())) {
        throw new IllegalStateException(cost.label() + " is in " + words.get(1));
      }
      values.put(cost, Double.parseDouble(words.get(0)));
    }
    return new NodeCosts(text("origin"), text("machine"), values);
  }

  private static String text(String kind) {
    return String.join(" ", ResourceTable.rows(NodeCosts.class, FILE, kind).get(0));
  }

  /**
   * Costs of calls in a node beyond the {@link Constant}s: launches of a process for each GPU,
   * sends and receives, kernels for symmetric windows. Ratios multiply constants of the calibration
   * in use.
   */
  public enum NodeCost implements MeasuredConstant {
    /** Launching the kernel of a process that drives one GPU. */
    LAUNCH_PROCESS("launch.process", "us"),
    /**
     * Addition of a GPU's sends and receives to that where one process launches for several GPUs.
     */
    LAUNCH_PEER("launch.peer", "us"),
    /** Launching the kernel of one of several groups by a framework, one after the other. */
    LAUNCH_FRAMEWORK("launch.framework", "us"),
    /**
     * From the end of one kernel on a GPU to the first data of the next, by LL, where each GPU is
     * launched by itself, to that where one thread launches several.
     */
    KERNEL_LL("kernel.ll", "1"),

    /** Waiting for the first chunk where a rank sends and receives, by Simple. */
    PEER_STEP("peer.step", "us"),
    /** Additional start where ranks write to the user's buffers of others. */
    PEER_START_REGISTERED("peer.start.registered", "us"),
    /** Time of a byte in a channel that sends or receives by LL, to that of its load and store. */
    PEER_LL("peer.ll", "1"),
    /** Additional time of a byte while the channel also moves one in the other direction, by LL. */
    PEER_BOTH_LL("peer.both.ll", "1"),
    /** Additional time of a byte while the channel moves one in the other direction, by Simple. */
    PEER_BOTH_SIMPLE("peer.both.simple", "1"),
    /** Additional time of a byte while the channel also copies to the rank's own buffer. */
    PEER_COPY("peer.copy", "1"),

    /** Start and end of a kernel for symmetric windows whose flags travel with the data. */
    WINDOW_START_LL("window.start.ll", "us"),
    /** Start and end of the other kernels for symmetric windows. */
    WINDOW_START("window.start", "us"),
    /** Additional start where data is stored to several buffers. */
    WINDOW_STORES("window.stores", "us"),
    /** Additional start where data is loaded from several ranks. */
    WINDOW_LOADS("window.loads", "us"),
    /** A block sends to one rank and receives as much, flags with the data. */
    WINDOW_LL("window.ll", "ps/B"),
    /** A block copies from one buffer to another. */
    WINDOW_COPY("window.copy", "ps/B"),
    /** Time of each further buffer that it loads from, with the reduction. */
    WINDOW_SOURCE("window.source", "ps/B"),
    /** Time of each further buffer that it stores to. */
    WINDOW_DESTINATION("window.destination", "ps/B");

    private final String label;
    private final String unit;

    NodeCost(String label, String unit) {
      this.label = label;
      this.unit = unit;
    }

    @Override
    public String label() {
      return label;
    }

    @Override
    public String unit() {
      return unit;
    }
  }
}
