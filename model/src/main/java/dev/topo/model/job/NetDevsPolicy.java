package dev.topo.model.job;

import java.util.Locale;

/**
 * How many of the NICs that are nearest to it a GPU uses ({@code NCCL_NETDEVS_POLICY}, {@code
 * nccl:src/graph/topo.cc}).
 *
 * @param kind the rule
 * @param max the number for {@link Kind#MAX}, else 0
 */
public record NetDevsPolicy(Kind kind, int max) {
  /** The nearest NICs are shared out among the GPUs that are nearest to them. */
  public static final NetDevsPolicy AUTO = new NetDevsPolicy(Kind.AUTO, 0);

  private static final String MAX_PREFIX = "MAX:";

  /** The rules. */
  public enum Kind {
    /** Shared out among the GPUs near them. */
    AUTO,
    /** All of them. */
    ALL,
    /** At most a given number. */
    MAX
  }

  /** Checks that the number fits the kind. */
  public NetDevsPolicy {
    if (kind == Kind.MAX ? max <= 0 : max != 0) {
      throw new IllegalArgumentException(
          "a number of NICs goes with MAX and only with it: " + kind + " " + max);
    }
  }

  /**
   * The policy that a value of the setting means; {@link #AUTO} for one that NCCL does not
   * understand, as in NCCL.
   */
  static NetDevsPolicy parse(String value) {
    String upper = value.toUpperCase(Locale.ROOT);
    if (upper.equals("ALL")) {
      return new NetDevsPolicy(Kind.ALL, 0);
    }
    if (upper.startsWith(MAX_PREFIX)) {
      try {
        int max = Integer.parseInt(upper.substring(MAX_PREFIX.length()).strip());
        return max > 0 ? new NetDevsPolicy(Kind.MAX, max) : AUTO;
      } catch (NumberFormatException e) {
        return AUTO;
      }
    }
    return AUTO;
  }
}
