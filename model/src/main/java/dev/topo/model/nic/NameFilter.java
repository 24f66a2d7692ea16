package dev.topo.model.nic;

import java.util.ArrayList;
import java.util.List;

/**
 * A user's list of allowed devices or, prefixed with {@code ^}, of forbidden ones: {@code
 * mlx5_0:1,mlx5_2}. Names match as prefixes, or exactly if the list is prefixed with {@code =}
 * ({@code parseStringList}, {@code matchIfList}, {@code nccl:src/misc/utils.cc}).
 *
 * @param forbids whether the list excludes devices
 * @param entries the list; an empty one matches every device
 */
public record NameFilter(boolean forbids, boolean exact, List<Entry> entries) {
  /** Allows every device. */
  public static final NameFilter ALL = new NameFilter(false, false, List.of());

  /** Port number of an entry that means all ports, and of a device without ports. */
  public static final int ANY_PORT = -1;

  public NameFilter {
    entries = List.copyOf(entries);
  }

  /**
   * An entry of the list.
   *
   * @param name name of a device, or a prefix of it
   * @param port a port of it, or {@link #ANY_PORT}
   */
  public record Entry(String name, int port) {
    @Override
    public String toString() {
      return port == ANY_PORT ? name : name + ":" + port;
    }
  }

  /** Parses the value of a setting; NCCL reads at most {@code limit} entries. */
  public static NameFilter parse(String value, int limit) {
    String list = value;
    boolean forbids = list.startsWith("^");
    list = forbids ? list.substring(1) : list;
    boolean exact = list.startsWith("=");
    list = exact ? list.substring(1) : list;
    List<Entry> entries = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      int colon = item.indexOf(':');
      String name = colon < 0 ? item : item.substring(0, colon);
      if (!name.isEmpty() && entries.size() < limit) {
        entries.add(new Entry(name, colon < 0 ? ANY_PORT : port(item.substring(colon + 1))));
      }
    }
    return new NameFilter(forbids, exact, entries);
  }

  /** As C's {@code atoi}: the leading digits, 0 without any. */
  private static int port(String text) {
    int number = 0;
    for (int i = 0; i < text.length() && Character.digit(text.charAt(i), 10) >= 0; i++) {
      number = Math.min(number * 10 + Character.digit(text.charAt(i), 10), Short.MAX_VALUE);
    }
    return number;
  }

  /** True if a device may be used. */
  public boolean allows(String name) {
    return allows(name, ANY_PORT);
  }

  /** True if a port of a device may be used. */
  public boolean allows(String name, int port) {
    return lists(name, port) != forbids;
  }

  /** True if an entry matches a port of a device. */
  boolean lists(String name, int port) {
    return entries.isEmpty()
        || entries.stream()
            .anyMatch(
                entry ->
                    (exact ? name.equals(entry.name()) : name.startsWith(entry.name()))
                        && (port == ANY_PORT || entry.port() == ANY_PORT || port == entry.port()));
  }
}
