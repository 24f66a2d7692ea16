package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Values of all {@link NodeCost}s, with their origin.
 *
 * @param origin machine, date and NCCL version of the measurements
 * @param machine kind of machine, as {@link CalibrationChoice} names it
 * @param values value of every cost in its unit
 */
public record NodeCosts(String origin, String machine, Map<NodeCost, Double> values) {
  /** Number of GPUs of the machine on which the costs were measured. */
  public static final int MEASURED_GPUS = 2;

  private static final String FILE = "node-costs.txt";
  private static final NodeCosts SHIPPED = read();

  public NodeCosts {
    values = MeasuredConstant.complete(NodeCost.class, values, "");
  }

  /** The shipped costs. */
  public static NodeCosts shipped() {
    return SHIPPED;
  }

  /** Value of a cost in its unit. */
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
      String value = ResourceTable.rows(NodeCosts.class, FILE, cost.label()).get(0).get(0);
      values.put(cost, Double.parseDouble(value));
    }
    return new NodeCosts(text("origin"), text("machine"), values);
  }

  private static String text(String kind) {
    return String.join(" ", ResourceTable.rows(NodeCosts.class, FILE, kind).get(0));
  }

  /**
   * Costs of calls inside a node in addition to the {@link Constant}s: launches with a process for
   * each GPU, sends and receives, and kernels for symmetric windows. Ratios refer to constants of
   * the calibration in use.
   */
  public enum NodeCost implements MeasuredConstant {
    /** Time to launch the kernel of a process that drives one GPU. */
    LAUNCH_PROCESS,
    /**
     * Addition to a launch for the sends and receives of a GPU, if one process launches for several
     * GPUs.
     */
    LAUNCH_PEER,
    /** Time of a framework to launch the kernel of one of several groups, one after the other. */
    LAUNCH_FRAMEWORK,
    /**
     * Time from the end of one kernel on a GPU to the first data of the next with LL, if each GPU
     * has its own process or thread, relative to one thread that launches for several GPUs.
     */
    KERNEL_LL,

    /** Time to wait for the first chunk if a rank both sends and receives, with Simple. */
    PEER_STEP,
    /** Extra start time if ranks write to other ranks' user buffers. */
    PEER_START_REGISTERED,
    /**
     * Time per byte of a channel that sends or receives with LL, relative to its load and store.
     */
    PEER_LL,
    /** Extra time of a byte while the channel also moves one in the other direction, with LL. */
    PEER_BOTH_LL,
    /** Extra time of a byte while the channel moves one in the other direction, with Simple. */
    PEER_BOTH_SIMPLE,
    /** Extra time of a byte while the channel also copies to the rank's own buffer. */
    PEER_COPY,

    /** Start and end of a symmetric kernel that sends flags with the data. */
    WINDOW_START_LL,
    /** Start and end of the other symmetric kernels. */
    WINDOW_START,
    /** Extra start time if data is stored to several buffers. */
    WINDOW_STORES,
    /** Extra start time if data is loaded from several ranks. */
    WINDOW_LOADS,
    /** Time of a block that sends to one rank and receives as much, with flags in the data. */
    WINDOW_LL,
    /** Time of a block to copy from one buffer to another. */
    WINDOW_COPY,
    /** Extra time of each further source buffer, with its reduction. */
    WINDOW_SOURCE,
    /** Extra time of each further destination buffer. */
    WINDOW_DESTINATION
  }
}
