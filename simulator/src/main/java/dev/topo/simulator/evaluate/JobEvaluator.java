package dev.topo.simulator.evaluate;

import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.GraphCache;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.connect.JobGraphs;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.connect.JobGraphs.JobDomains;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.engine.GraphSearch.GraphFileSource;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.path.PathFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.DeclaredTopology;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.TimeResolver.FabricResolver;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkKind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evaluates jobs: finds the graphs of their machines, connects their ranks, and predicts NCCL's
 * choices and the times of calls. Honours NCCL_GRAPH_FILE and NCCL_TOPO_FILE in the job's settings.
 */
public final class JobEvaluator {
  private final GraphSource graphs;
  private final Inputs inputs;
  private final RecentMap.Results<JobRequest, JobResult> earlier;
  private final TimeResolver times;

  /** An evaluator that searches for graphs. */
  public JobEvaluator() {
    this(GraphSearch::findAll, new Inputs());
  }

  /**
   * An evaluator with a search of its own, for example one that reports its progress.
   *
   * @param graphs finds the graphs of a machine
   * @param inputs reads the files that settings name
   */
  public JobEvaluator(GraphSource graphs, Inputs inputs) {
    this(EarlierAnswers.none(graphs), inputs);
  }

  /** An evaluator that uses what earlier questions found. */
  public JobEvaluator(EarlierAnswers earlier, Inputs inputs) {
    this(earlier.graphs(), inputs, earlier.results(), usual(inputs));
  }

  private static TimeResolver usual(Inputs inputs) {
    return new TimeResolver(TimeSpec.USUAL, inputs, note -> {});
  }

  private JobEvaluator(
      GraphSource graphs,
      Inputs inputs,
      RecentMap.Results<JobRequest, JobResult> earlier,
      TimeResolver times) {
    this.graphs = graphs;
    this.inputs = inputs;
    this.earlier = earlier;
    this.times = times;
  }

  /** This evaluator with the calibrations that the user states, for jobs without a request. */
  public JobEvaluator timedBy(TimeResolver stated) {
    return new JobEvaluator(graphs, inputs, earlier, stated);
  }

  /** This evaluator without notes on what a stated calibration assumes. */
  public JobEvaluator quietly() {
    return timedBy(times.quietly());
  }

  /** This evaluator with the calibrations that match the machines. */
  public JobEvaluator timedAsUsual() {
    return timedBy(usual(inputs));
  }

  /** This evaluator with another source of graphs, for example a graph file. */
  public JobEvaluator with(GraphSource others) {
    return new JobEvaluator(others, inputs, new RecentMap.Results<>(0), times);
  }

  /** This evaluator with a cache: graphs of equal machines are searched once. */
  public JobEvaluator remembering() {
    return with(new GraphCache(graphs));
  }

  /**
   * Finds the graphs of a machine of a job.
   *
   * @param crossesNetwork whether the job has other machines
   * @param profile the rules, which are those that the topology was built by
   * @throws UnusableTopologyException if NCCL would not start
   */
  public List<DomainGraphs> graphs(Machine machine, boolean crossesNetwork, NcclProfile profile) {
    Machine seen = DeclaredMachines.declared(machine, profile, inputs);
    return graphs(seen.topology(), seen.settings(), crossesNetwork, profile);
  }

  /**
   * Finds the graphs of a topology, ignoring NCCL_TOPO_FILE, for each group of GPUs that only the
   * network joins.
   *
   * @param crossesNetwork whether the job has other machines
   * @param profile the rules, which are those that the topology was built by
   * @throws UnusableTopologyException if NCCL would not start
   */
  public List<DomainGraphs> graphs(
      Topology topology, NcclSettings settings, boolean crossesNetwork, NcclProfile profile) {
    return DomainGraphs.of(
        DomainFinder.find(topology, settings, crossesNetwork, profile), settings, graphs, inputs);
  }

  /**
   * Connects the ranks of a job, without its choices and times.
   *
   * @param profile the rules, which are those that the topologies of the job were built by
   * @throws UnusableTopologyException if NCCL would not start
   */
  public Connection connect(Job job, NcclProfile profile) {
    JobDomains domains = JobDomains.of(DeclaredMachines.declared(job, profile, inputs), profile);
    Connection connection = Connection.of(JobGraphs.of(domains, graphs, inputs));
    NetworkKind.of(connection);
    return connection;
  }

  /**
   * Evaluates a job without calls, with this evaluator's calibrations and one process per GPU.
   *
   * @param profile the rules, which are those that the topologies of the job were built by
   * @throws UnusableTopologyException if NCCL would not start
   */
  public JobResult evaluate(Job job, NcclProfile profile) {
    return evaluate(
        JobPart.alone(job), profile, Optional.empty(), JobRequest.DEFAULT_GPUS_PER_PROCESS);
  }

  /**
   * Evaluates a job without calls, with this evaluator's calibrations.
   *
   * @param actual the actual machine, if those of the job are declared ones; NCCL_TOPO_FILE is then
   *     not read again
   * @param gpusPerProcess GPUs that one process launches kernels for
   * @throws UnusableTopologyException if NCCL would not start
   */
  public JobResult evaluate(
      JobPart job, NcclProfile profile, Optional<Machine> actual, int gpusPerProcess) {
    return evaluate(
        times
            .request(profile, job, Optional.empty(), Optional.empty(), actual)
            .withGpusPerProcess(gpusPerProcess));
  }

  /**
   * Evaluates a job.
   *
   * @throws UnusableTopologyException if NCCL would not start
   */
  public JobResult evaluate(JobRequest asked) {
    JobRequest request = DeclaredMachines.declared(asked, inputs);
    JobRequest key = request.withCalls(List.of());
    boolean readsGraphs =
        request.job().machines().stream()
            .anyMatch(machine -> GraphFileSource.file(machine.settings()).isPresent());
    JobResult set =
        earlier
            .find(key)
            .filter(found -> !readsGraphs)
            .orElseGet(() -> earlier.keep(key, connected(key)));
    Map<Call, Prediction> predictions = new LinkedHashMap<>();
    for (Call call : request.calls()) {
      set.predict(call).ifPresent(time -> predictions.put(call, time));
    }
    return new JobResult(request, set.communicator(), set.predictor(), predictions);
  }

  private JobResult connected(JobRequest request) {
    JobDomains domains = JobDomains.of(request.job(), request.profile());
    JobGraphs found = JobGraphs.of(domains, graphs, inputs);
    Connection connection = Connection.of(found);
    Communicator communicator = Communicator.of(request.job(), connection);
    CallPlanner planner = planner(communicator, request);
    NetworkKind kind = NetworkKind.of(connection);
    request
        .fabric()
        .filter(fabric -> request.concurrent().isEmpty())
        .ifPresent(
            fabric -> FabricResolver.requireNodes(connection.nNodes(), fabric.hosts().size()));
    Optional<NetworkCalibration> network =
        request.selectedCalibration().isNcclModel()
            ? Optional.empty()
            : request.network().or(() -> Optional.of(kind.constants()));
    CallPredictor predictor =
        CallPredictor.of(
            planner,
            request.calibration(),
            network,
            request.fabric(),
            request.selectedCalibration().own());
    return new JobResult(request, communicator, predictor, Map.of());
  }

  private static CallPlanner planner(Communicator communicator, JobRequest request) {
    int perProcess =
        Math.min(request.context().gpusPerProcess(), communicator.facts().maxLocalRanks());
    return new CallPlanner(
        communicator,
        request
            .actual()
            .filter(actual -> communicator.nNodes() == 1)
            .map(
                actual ->
                    PathFinder.find(actual.topology(), actual.settings(), communicator.profile())),
        request.context().withGpusPerProcess(perProcess),
        request.concurrent());
  }

  /**
   * Replaces the machines of a job by those that NCCL sees: the topology of NCCL_TOPO_FILE with the
   * detected devices, and merged ports.
   */
  static final class DeclaredMachines {
    private static final String TOPO_FILE = "NCCL_TOPO_FILE";

    private DeclaredMachines() {}

    /**
     * The request for the machines that NCCL sees; a machine with NCCL_TOPO_FILE becomes the actual
     * one.
     */
    static JobRequest declared(JobRequest request, Inputs inputs) {
      Job job = request.job();
      boolean isActual = request.actual().isPresent();
      Job seen =
          isActual ? job.map(Machine::withMergedPorts) : declared(job, request.profile(), inputs);
      Optional<Machine> actual =
          !isActual && job.machines().stream().anyMatch(DeclaredMachines::isDeclared)
              ? Optional.of(JobRequest.slowest(job))
              : request.actual();
      return seen.equals(job) ? request : request.withJob(seen).withActual(actual);
    }

    /** The job as NCCL sees it. */
    static Job declared(Job job, NcclProfile profile, Inputs inputs) {
      return job.map(machine -> declared(machine, profile, inputs));
    }

    private static boolean isDeclared(Machine machine) {
      return machine.settings().text(TOPO_FILE).isPresent();
    }

    /** The machine as NCCL sees it. */
    static Machine declared(Machine machine, NcclProfile profile, Inputs inputs) {
      return machine
          .settings()
          .text(TOPO_FILE)
          .map(
              file ->
                  new Machine(
                      topology(file, machine.topology(), profile, inputs), machine.settings()))
          .orElse(machine)
          .withMergedPorts();
    }

    private static Topology topology(
        String file, Topology actual, NcclProfile profile, Inputs inputs) {
      Topology declared =
          DeclaredTopology.of(new XmlReader().read(Path.of(file), inputs).root(), actual)
              .topology(profile);
      DeclaredGpuCheck.requireEqual(
          declared.gpus().size(), file, actual.gpus().size(), "the actual machine");
      return declared;
    }
  }
}
