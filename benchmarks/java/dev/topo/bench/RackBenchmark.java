package dev.topo.bench;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import java.util.Collections;
import java.util.List;
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

/** GB200 NVL72 from the text of the file of a tray: 18 trays are one NVLink domain. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx256m")
public class RackBenchmark {
  private static final int TRAYS = 18;

  /** Racks of the job, with 72 GPUs each. */
  @Param({"1", "2", "250"})
  private int racks = 1;

  private byte[] file = {};

  /** Reads the file. */
  @Setup
  public void read() {
    file = Objects.requireNonNull(Machines.all().get("gb200-tray.xml"));
  }

  private Topology rack() {
    XmlElement tray = new XmlReader().read(file, "bench").root();
    XmlElement domain = NvlinkDomain.fuse(Collections.nCopies(TRAYS, tray));
    XmlDocument document = new XmlDocument(List.of(), domain, List.of());
    return new TopologyReader().map(document, GpuSelection.ALL, new Diagnostics());
  }

  /** Joins the trays and finds the paths and graphs of one rack. */
  @Benchmark
  public int graphs() {
    return DomainFinder.find(rack(), NcclSettings.DEFAULTS, racks > 1, NcclProfile.DEFAULT).stream()
        .mapToInt(
            domain -> GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).all().size())
        .sum();
  }

  /** The same with the channels over all ranks of the job. */
  @Benchmark
  public int connection() {
    Machine machine = new Machine(rack(), NcclSettings.DEFAULTS);
    return Connection.of(Job.ofEqual(machine, racks)).nChannels();
  }
}
