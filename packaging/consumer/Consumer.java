
import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Collective;
import dev.topo.search.topology.TopologyReader;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.nio.file.Path;
import java.util.List;

/** The example of docs/library.md as a program. */
public final class Consumer {
  private Consumer() {}

  public static void main(String[] args) throws Exception {
    Topology topology = new TopologyReader().read(Path.of(args[0]), GpuSelection.ALL, new Diagnostics());
    Job job = Job.ofEqual(new Machine(topology, NcclSettings.DEFAULTS), 1);
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30);
    JobResult result = new JobEvaluator().evaluate(JobRequest.of(job, List.of(call)));
    result.connection().searchedGraphs(0).get(GraphKind.RING).channels().forEach(System.out::println);
    result.predictions().values().forEach(p -> System.out.println(p.busbwGBps() + " GB/s"));
  }
}
