package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.SpecException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which hosts of a job NVLink joins (MNNVL), as it is stated.
 *
 * @param hosts hosts of each domain in rank order, the last for all that follow; none if NVLink
 *     joins no hosts
 */
public record DomainSizes(List<Integer> hosts) {
  /** NVLink joins no hosts. */
  public static final DomainSizes NONE = new DomainSizes(List.of());

  public DomainSizes {
    hosts = List.copyOf(hosts);
  }

  /** Whether it is stated which hosts NVLink joins. */
  public boolean isStated() {
    return !hosts.isEmpty();
  }

  /**
   * The hosts of each domain; 1 without any.
   *
   * @throws SpecException if domains differ
   */
  public int single() {
    if (hosts.stream().distinct().count() > 1) {
      throw wrong("expected one number for all domains, or FILE of a whole domain");
    }
    return hosts.isEmpty() ? 1 : hosts.get(0);
  }

  /**
   * The hosts of each machine of a job: one, or those of a domain.
   *
   * @throws SpecException if the domains do not add up to the hosts
   */
  List<List<Path>> divide(List<Path> all) {
    if (hosts.isEmpty()) {
      return all.stream().map(List::of).toList();
    }
    List<List<Path>> domains = new ArrayList<>();
    int joined = 0;
    while (joined < all.size()) {
      int size = hosts.get(Math.min(domains.size(), hosts.size() - 1));
      if (size < 1 || joined + size > all.size()) {
        throw wrong(
            "expected numbers that add up to the %s nodes of the job".formatted(all.size()));
      }
      domains.add(all.subList(joined, joined + size));
      joined += size;
    }
    return domains;
  }

  /**
   * The file of each machine, where the hosts of a domain have the same.
   *
   * @throws SpecException if a domain has hosts of several files
   */
  List<Path> equalInside(List<Path> all) {
    return divide(all).stream()
        .map(
            domain -> {
              if (domain.stream().distinct().count() > 1) {
                throw wrong("expected domains of equal nodes, or FILE of a whole domain");
              }
              return domain.get(0);
            })
        .toList();
  }

  /** The name of machines, each of one host or a domain: {@code gb200 in NVLink domains of 18}. */
  public String nameOf(List<Path> machines) {
    int size = single();
    List<Path> all = new ArrayList<>();
    machines.forEach(machine -> all.addAll(Collections.nCopies(size, machine)));
    return MachineName.of(all) + (size == 1 ? "" : " in NVLink domains of " + size);
  }

  /** {@code 18,17}. */
  String label() {
    return hosts.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private SpecException wrong(String expected) {
    return new SpecException(SpecField.NVLINK_DOMAIN, " %s: %s", label(), expected);
  }
}
