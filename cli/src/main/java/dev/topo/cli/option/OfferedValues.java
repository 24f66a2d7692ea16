package dev.topo.cli.option;

import dev.topo.model.operation.Operation;
import dev.topo.search.rules.CoveredReleases;
import dev.topo.simulator.network.NetworkFile;
import java.util.Iterator;
import java.util.stream.Stream;

/**
 * What shells offer after options that take a name: their type alone does not tell it, as they take
 * lists, releases in between or files as well.
 */
final class OfferedValues {
  private OfferedValues() {}

  /** After {@code --collective}: what the help names, which leaves out the hypercube. */
  static final class Collectives implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              Operation.all().stream().filter(Operation::isOneCall).map(Operation::ncclTestsName),
              Stream.of("all"))
          .iterator();
    }
  }

  /** After {@code --nccl}: the releases that have rules, and the word that shows all. */
  static final class Releases implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              CoveredReleases.all().stream().map(CoveredReleases::version), Stream.of("list"))
          .iterator();
    }
  }

  /** After {@code --network}, beside files; the word shows all. */
  static final class Networks implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(NetworkFile.SHIPPED.stream(), Stream.of("list")).iterator();
    }
  }
}
