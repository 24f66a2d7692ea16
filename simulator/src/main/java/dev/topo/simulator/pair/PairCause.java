package dev.topo.simulator.pair;

import dev.topo.model.Labels;
import java.util.List;

/**
 * A part that explains slow or missing runs.
 *
 * @param kind kind of part
 * @param names its name, or the hosts of a group
 * @param slowerPercent slowdown of its runs, in percent of the healthy rate
 * @param runs number of runs that use it
 * @param slowRuns number of these runs that are slow by more than the noise
 * @param missing number of its pairs without a result
 * @param confidence probability, 0 to 1, that this part and not another or chance is at fault, from
 *     the cost of the best explanation without it
 * @param confirm checks that would confirm it
 */
public record PairCause(
    Kind kind,
    List<String> names,
    double slowerPercent,
    int runs,
    int slowRuns,
    int missing,
    double confidence,
    String confirm) {
  /** Kinds of parts. */
  public enum Kind {
    /** A host: all its runs are slow. */
    HOST(
        "host",
        "measure it port by port (NCCL_IB_HCA), compare its dump with another's (topo diff) and its GPUs' clocks"),
    /** One of some hosts whose runs are the same, so that they cannot be told apart. */
    EITHER("host", "test each of them with a third host"),
    /** A host, only when it is the first of a pair. */
    FIRST(
        "host as first of a pair",
        "repeat these pairs in both orders: one direction of its ports may be at fault"),
    /** A host, only when it is the second of a pair. */
    SECOND(
        "host as second of a pair",
        "repeat these pairs in both orders: one direction of its ports may be at fault"),
    /** A network port of one host. */
    NIC(
        "NIC",
        "link width and speed of the port (ibstat, lspci -vv), its error counters, its cable"),
    /** The ports of one name on all hosts. */
    RAIL("rail", "the switch of the rail: its counters and configuration (PFC, ECN)"),
    /** A switch: all runs of the hosts below it. */
    SWITCH("switch", "the counters and the configuration of the switch"),
    /** The links above a switch: runs that leave it. */
    UPLINK("uplink", "the number of its links that are up, and their error counters"),
    /** The links between two leaf switches. */
    LINK("link", "the links between the two switches and their error counters"),
    /** The links between some hosts and the others, where no switch map is given. */
    GROUP(
        "group of hosts",
        "whether these hosts have a switch of their own: then its uplinks; name the switches (--fabric)"),
    /** The links between groups of hosts that are fast among themselves; one name per group. */
    BETWEEN(
        "links between",
        "what connects these groups: their uplinks, cables and routes; name the switches (--fabric)");

    private final String label;
    private final String confirm;

    Kind(String label, String confirm) {
      this.label = label;
      this.confirm = confirm;
    }

    /** Name in files: {@code host}, {@code nic}. */
    public String id() {
      return Labels.of(this);
    }

    String confirm() {
      return confirm;
    }
  }

  /** Largest confidence that a single matrix supports. */
  private static final double MOST_CONFIDENCE = 0.999;

  public PairCause {
    confidence = Math.min(MOST_CONFIDENCE, confidence);
    names = List.copyOf(names);
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException(confidence + ": expected a probability");
    }
  }

  /** Names the part: {@code host n03}. */
  public String what() {
    String between = kind == Kind.BETWEEN ? " and " : kind == Kind.EITHER ? " or " : ", ";
    return kind.label + " " + String.join(between, names);
  }
}
