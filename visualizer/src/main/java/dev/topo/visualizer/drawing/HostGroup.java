package dev.topo.visualizer.drawing;

import dev.topo.model.QuantityFormat;
import java.util.List;

/**
 * Equal hosts of an NVLink domain, of which the first is drawn.
 *
 * @param hosts their numbers, ascending
 * @param byUse whether there are other hosts that differ from these only in the links that a
 *     channel uses
 */
public record HostGroup(List<Integer> hosts, boolean byUse) {
  public HostGroup {
    hosts = List.copyOf(hosts);
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("a group has a host");
    }
  }

  /** The host that is drawn. */
  public int drawn() {
    return hosts.get(0);
  }

  /** True if it has hosts that are not drawn. */
  public boolean isFolded() {
    return hosts.size() > 1;
  }

  /** The hosts in words. */
  public String title() {
    if (!isFolded()) {
      return "host " + drawn();
    }
    String equal = byUse ? " hosts that the channel uses alike: " : " equal hosts: ";
    return hosts.size() + equal + QuantityFormat.ranges(hosts);
  }

  /** Names the host that is shown; empty if the group has only one. */
  public String shown(int host) {
    return isFolded() ? "shown: host " + host : "";
  }
}
