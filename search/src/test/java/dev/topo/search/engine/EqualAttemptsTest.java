package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A search that leaves out attempts equal to earlier ones ends as one that makes them. */
class EqualAttemptsTest {
  /** Records the attempts of a search as text, and counts the obstacles. */
  private static final class Recorder implements SearchMonitor {
    private final boolean makesAll;
    private final List<String> attempts = new ArrayList<>();
    private int obstacles;

    Recorder(boolean makesAll) {
      this.makesAll = makesAll;
    }

    @Override
    public boolean observesObstacles() {
      return makesAll;
    }

    @Override
    public void blocked(GraphKind kind, int link) {
      obstacles++;
    }

    @Override
    public void tooFar(GraphKind kind, PathType type) {
      obstacles++;
    }

    @Override
    public void improved(GraphKind kind, int nChannels, int hops) {
      attempts.add(nChannels + " channels, " + hops + " hops");
    }

    @Override
    public void attemptEnded(GraphKind kind, Constraints constraints, AttemptEnd end, int steps) {
      attempts.add(kind + " " + constraints + " " + end + " " + steps);
    }
  }

  private int obstaclesOfAll;
  private int obstaclesOfDistinct;

  private void compare(String name, Topology topology, boolean crosses, NcclProfile profile) {
    for (Domain domain : DomainFinder.find(topology, NcclSettings.DEFAULTS, crosses, profile)) {
      Recorder all = new Recorder(true);
      Recorder distinct = new Recorder(false);
      assertEquals(outcome(domain, all), outcome(domain, distinct), name);
      assertEquals(all.attempts, distinct.attempts, name);
      obstaclesOfAll += all.obstacles;
      obstaclesOfDistinct += distinct.obstacles;
    }
  }

  private static Object outcome(Domain domain, SearchMonitor monitor) {
    try {
      return GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs(), monitor);
    } catch (UnusableTopologyException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void changeNothingOnMachinesAtRandom() {
    for (String version : List.of("2.19.3", "2.28.9", "2.30.7")) {
      NcclProfile profile = NcclProfile.of(version);
      for (long seed = 0; seed < 60; seed++) {
        String name = version + ", seed " + seed;
        compare(name, RandomMachine.of(seed), seed % 2 == 0, profile);
      }
    }
    assertTrue(obstaclesOfDistinct < obstaclesOfAll);
  }

  @Test
  void changeNothingOnShippedMachines() throws IOException {
    NcclProfile profile = NcclProfile.DEFAULT;
    for (Path file : ShippedMachines.files()) {
      Topology machine =
          new TopologyReader(UnknownElements.REJECTED, profile)
              .map(new XmlReader().read(file, new Inputs()), GpuSelection.ALL, new Diagnostics());
      compare(file.toString(), machine, true, profile);
    }
    assertTrue(obstaclesOfDistinct < obstaclesOfAll);
  }
}
