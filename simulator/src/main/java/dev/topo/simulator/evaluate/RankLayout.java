package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.NamedMachine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The machines of a job, and the order and split of its ranks, as stated; no file is read.
 *
 * @param machines the hosts
 * @param domains the hosts that NVLink joins
 * @param ranks the participating ranks in order; empty for all in the order of the machines
 * @param split the split into communicators, in the syntax of NCCL_TESTS_SPLIT; empty for one
 *     communicator
 */
public record RankLayout(
    Machines machines, DomainSizes domains, Optional<Ranks> ranks, Optional<String> split) {
  /** The hosts of a job. */
  public sealed interface Machines {
    /** The file of each host in rank order. */
    List<Path> hosts();
  }

  /** A number of hosts with equal machines. */
  public record Equal(Path file, int nodes) implements Machines {
    @Override
    public List<Path> hosts() {
      return Collections.nCopies(nodes, file);
    }
  }

  /** Hosts whose machines may differ. */
  public record Listed(List<Path> hosts) implements Machines {
    public Listed {
      hosts = List.copyOf(hosts);
    }
  }

  /** A selection of the ranks of a job, in order. */
  public sealed interface Ranks {
    /** The ranks as stated. */
    String label();
  }

  /**
   * Ranks in words.
   *
   * @param label a list such as {@code 0-15/4,1-15/4}, or the name of a file with one
   * @param file that file
   */
  public record StatedRanks(String label, Path file) implements Ranks {}

  /** Ranks by their numbers. */
  public record GivenRanks(List<Integer> numbers) implements Ranks {
    public GivenRanks {
      numbers = List.copyOf(numbers);
    }

    @Override
    public String label() {
      return QuantityFormat.joined(",", numbers, number -> number);
    }
  }

  /** The hosts that NVLink joins: as stated, else those of machines with names that say so. */
  @Override
  public DomainSizes domains() {
    return domains.isStated() ? domains : new DomainSizes(NamedMachine.domains(hosts()));
  }

  /** All ranks of equal hosts in one communicator. */
  public static RankLayout ofEqual(Path file, int nodes) {
    return new RankLayout(
        new Equal(file, nodes), DomainSizes.NONE, Optional.empty(), Optional.empty());
  }

  /** This layout with a split. */
  public RankLayout withSplit(String rule) {
    return new RankLayout(machines, domains, ranks, Optional.of(rule));
  }

  /** This layout with other hosts. */
  public RankLayout withHosts(List<Path> hosts) {
    return new RankLayout(new Listed(hosts), domains, ranks, split);
  }

  /** Some ranks of the same machines in one communicator. */
  public RankLayout ofRanks(List<Integer> numbers) {
    return new RankLayout(
        machines, domains, Optional.of(new GivenRanks(numbers)), Optional.empty());
  }

  /** The file of each host in rank order, whether or not NVLink joins them. */
  public List<Path> hosts() {
    return machines.hosts();
  }

  /**
   * The files of the machines in rank order, for edits; a machine is one host, or an NVLink domain
   * of equal hosts.
   *
   * @throws SpecException if a domain has hosts of several files, or ranks are reordered
   */
  public List<Path> editable() {
    if (ranks.isPresent()) {
      throw new SpecException(
          SpecField.RANKS, ": expected ranks in order, for which variants are compared");
    }
    return domains().equalInside(hosts());
  }

  /** The name of the machines of the whole job: {@code 4 × dgx-h100}. */
  public String name() {
    String title = title();
    return title.isEmpty() ? MachineName.of(hosts()) : title;
  }

  /** The name of each machine of the job; an NVLink domain is one machine. */
  public List<String> machineNames() {
    return domains().divide(hosts()).stream().map(MachineName::of).toList();
  }

  /** The NVLink domains and the order of ranks in words; empty if neither is stated. */
  String title() {
    String order = ranks.map(list -> ", ranks " + list.label()).orElse("");
    DomainSizes joined = domains();
    if (joined.isStated()) {
      return MachineName.of(hosts()) + " in NVLink domains of " + joined.label() + order;
    }
    return order.isEmpty() ? "" : MachineName.of(hosts()) + order;
  }

  /**
   * The hosts of a job that NVLink joins (MNNVL), as stated.
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

    /** True if NVLink domains are stated. */
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
     * The hosts of each machine of a job: a single host, or those of a domain.
     *
     * @throws SpecException if the domains do not add up to the hosts
     */
    List<List<Path>> divide(List<Path> paths) {
      if (hosts.isEmpty()) {
        return paths.stream().map(List::of).toList();
      }
      List<List<Path>> domains = new ArrayList<>();
      int joined = 0;
      while (joined < paths.size()) {
        int size = hosts.get(Math.min(domains.size(), hosts.size() - 1));
        if (size < 1 || joined + size > paths.size()) {
          throw wrong(
              "expected numbers that add up to the %s nodes of the job".formatted(paths.size()));
        }
        domains.add(paths.subList(joined, joined + size));
        joined += size;
      }
      return domains;
    }

    /**
     * The file of each machine; the hosts of a domain must have the same.
     *
     * @throws SpecException if a domain has hosts of several files
     */
    List<Path> equalInside(List<Path> paths) {
      return divide(paths).stream()
          .map(
              domain -> {
                if (domain.stream().distinct().count() > 1) {
                  throw wrong("expected domains of equal nodes, or FILE of a whole domain");
                }
                return domain.get(0);
              })
          .toList();
    }

    /**
     * The name of machines, each of one host or a domain: {@code gb200 in NVLink domains of 18}.
     */
    public String nameOf(List<Path> machines) {
      int size = single();
      List<Path> paths = new ArrayList<>();
      machines.forEach(machine -> paths.addAll(Collections.nCopies(size, machine)));
      return MachineName.of(paths) + (size == 1 ? "" : " in NVLink domains of " + size);
    }

    /** {@code 18,17}. */
    String label() {
      return QuantityFormat.joined(",", hosts, number -> number);
    }

    private SpecException wrong(String expected) {
      return new SpecException(SpecField.NVLINK_DOMAIN, " %s: %s", label(), expected);
    }
  }
}
