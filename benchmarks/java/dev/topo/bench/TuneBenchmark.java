package dev.topo.bench;

import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/** From the graphs of a job to what NCCL chooses for its calls. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TuneBenchmark {
  private static final int SIZES = 100;
  private static final long FIRST_BYTES = 8;
  private static final long LAST_BYTES = 8L << 30;

  /** A file name. */
  @Param("dgx-h100.xml")
  private String machine = "dgx-h100.xml";

  /** Nodes of the job. */
  @Param("4")
  private int nodes = 4;

  private final List<Long> sizes = new ArrayList<>();
  private @Nullable Job job;
  private @Nullable NodeGraphs graphs;

  /** Reads the file and searches the graphs. */
  @Setup
  public void search() {
    byte[] file = Objects.requireNonNull(Machines.all().get(machine), machine);
    Topology topology =
        new TopologyReader()
            .map(new XmlReader().read(file, machine), GpuSelection.ALL, new Diagnostics());
    Domain domain =
        DomainFinder.find(topology, NcclSettings.DEFAULTS, nodes > 1, NcclProfile.DEFAULT).get(0);
    job = Job.ofEqual(new Machine(topology, NcclSettings.DEFAULTS), nodes);
    graphs = GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs());
    double factor = Math.pow((double) LAST_BYTES / FIRST_BYTES, 1.0 / (SIZES - 1));
    for (int s = 0; s < SIZES; s++) {
      sizes.add(Math.round(FIRST_BYTES * Math.pow(factor, s)));
    }
  }

  private Tuner tuner() {
    NodeGraphs known = Objects.requireNonNull(graphs);
    return Communicator.of(Objects.requireNonNull(job), (domain, settings, inputs) -> known)
        .tuner();
  }

  /** Connection, model, and a choice for each of 100 sizes of each collective. */
  @Benchmark
  public List<Decision> choices() {
    Tuner tuner = tuner();
    List<Decision> decisions = new ArrayList<>();
    for (Collective collective : Collective.values()) {
      for (long size : sizes) {
        decisions.add(tuner.decide(CollectiveCall.of(collective, size)));
      }
    }
    return decisions;
  }

  /** Connection, model, and all switch points of each collective. */
  @Benchmark
  public List<SizeRange> ranges() {
    SwitchPoints switchPoints = new SwitchPoints(tuner());
    List<SizeRange> ranges = new ArrayList<>();
    for (Collective collective : Collective.values()) {
      ranges.addAll(
          switchPoints.ranges(CollectiveCall.of(collective, 0L), FIRST_BYTES, LAST_BYTES));
    }
    return ranges;
  }
}
