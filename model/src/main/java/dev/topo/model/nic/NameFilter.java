package dev.topo.model.nic;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of devices that a user allows or, with {@code ^} before it, forbids: {@code
 * mlx5_0:1,mlx5_2}. Names are beginnings of names, whole names with {@code =} before the list
 * ({@code parseStringList}, {@code matchIfList}, {@code nccl:src/misc/utils.cc}).
 *
 * @param forbids whether the list excludes devices
 * @param entries the list; an empty one has everything
 */
public record NameFilter(boolean forbids, boolean exact, List<Entry> entries) {
  /** Lets everything pass. */
  public static final NameFilter ALL = new NameFilter(false, false, List.of());

  /** The port of an entry that means all ports, and of a device that has none. */
  public static final int ANY_PORT = -1;

  public NameFilter {
    entries = List.copyOf(entries);
  }

  /**
   * An entry of the list.
   *
   * @param name name of a device, or its beginning
   * @param port a port of it, or {@link #ANY_PORT}
   */
  public record Entry(String name, int port) {
    @Override
    public String toString() {
      return port == ANY_PORT ? name : name + ":" + port;
    }
  }

  /** The filter that a setting's value means; NCCL takes no more than {@code limit} entries. */
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

  /** As C's {@code atoi}: digits at the beginning, 0 without one. */
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

  /** True if an entry is a port of a device. */
  boolean lists(String name, int port) {
    return entries.isEmpty()
        || entries.stream()
            .anyMatch(
                entry ->
                    (exact ? name.equals(entry.name()) : name.startsWith(entry.name()))
                        && (port == ANY_PORT || entry.port() == ANY_PORT || port == entry.port()));
  }
}
