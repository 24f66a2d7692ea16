package dev.topo.bench;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.topology.TopologyReader;
import java.util.Objects;
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

/**
 * From the text of a topology file to the neighbours of every rank in every channel, for large jobs
 * of DGX H100.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class ConnectBenchmark {
  /** Nodes of the job, with 8 GPUs each. */
  @Param({"1024", "12500"})
  private int nodes = 1024;

  private byte[] file = {};

  /** Reads the file. */
  @Setup
  public void read() {
    file = Objects.requireNonNull(Machines.all().get("dgx-h100.xml"));
  }

  /** Reads, searches and connects; asks for every link of every rank in every channel. */
  @Benchmark
  public long everyLink() {
    Topology topology =
        new TopologyReader()
            .map(new XmlReader().read(file, "bench"), GpuSelection.ALL, new Diagnostics());
    Connection connection =
        Connection.of(Job.ofEqual(new Machine(topology, NcclSettings.DEFAULTS), nodes));
    long sum = 0;
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        sum += connection.rings().prev(channel, rank);
        sum += connection.rings().next(channel, rank);
        sum += connection.trees().links(channel, rank).down1();
      }
    }
    return sum;
  }
}
