package dev.topo.bench;

import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From the text of a topology file to all graphs, for one machine or all of the project. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SearchBenchmark {
  /** A file name, or {@code all}. */
  @Param("all")
  private String machine = "all";

  /** Nodes of the job. */
  @Param({"1", "4"})
  private int nodes = 1;

  private final List<byte[]> files = new ArrayList<>();

  /** Reads the files. */
  @Setup
  public void read() {
    for (Map.Entry<String, byte[]> entry : Machines.all().entrySet()) {
      if (machine.equals("all") || machine.equals(entry.getKey())) {
        files.add(entry.getValue());
      }
    }
  }

  /** Parsing alone. */
  @Benchmark
  public List<Topology> parse() {
    List<Topology> topologies = new ArrayList<>();
    for (byte[] file : files) {
      topologies.add(topology(file));
    }
    return topologies;
  }

  /** Parsing and paths. */
  @Benchmark
  public List<Domain> paths() {
    List<Domain> domains = new ArrayList<>();
    for (byte[] file : files) {
      domains.addAll(
          DomainFinder.find(topology(file), NcclSettings.DEFAULTS, nodes > 1, NcclProfile.DEFAULT));
    }
    return domains;
  }

  /** Parsing, paths and all graphs. */
  @Benchmark
  public List<NodeGraphs> graphs() {
    List<NodeGraphs> graphs = new ArrayList<>();
    for (byte[] file : files) {
      for (Domain domain :
          DomainFinder.find(
              topology(file), NcclSettings.DEFAULTS, nodes > 1, NcclProfile.DEFAULT)) {
        graphs.add(GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()));
      }
    }
    return graphs;
  }

  private static Topology topology(byte[] file) {
    return new TopologyReader()
        .map(new XmlReader().read(file, "bench"), GpuSelection.ALL, new Diagnostics());
  }
}
