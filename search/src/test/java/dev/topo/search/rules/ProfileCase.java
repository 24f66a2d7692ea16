package dev.topo.search.rules;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.SymmetricCall;
import dev.topo.search.kernel.SymmetricTuner;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.LaunchRules.TransferRules.Division;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.transfer.Traffic;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A job on shipped machines, and all that is decided for it under a profile. */
final class ProfileCase {
  private final Path file;
  private final XmlDocument document;
  private final int nodes;
  private final NcclSettings settings;
  private final List<NodeGraphs> usualGraphs = new ArrayList<>();
  private List<?> usual = List.of();

  ProfileCase(Path file, int nodes, List<String> settings) {
    this.file = file;
    this.document = new XmlReader().read(file, new Inputs());
    this.nodes = nodes;
    this.settings = NcclSettings.parse(settings);
  }

  static List<ProfileCase> all() throws IOException {
    List<ProfileCase> cases = new ArrayList<>();
    for (Path file : ShippedMachines.files()) {
      String name = file.getFileName().toString();
      if (name.matches("hgx-(a100|h100|h200)-.*|dgx-2.xml")) {
        continue; // As the other machines with NVSwitches, and slow.
      }
      for (int nodes : new int[] {4, 1}) {
        cases.add(new ProfileCase(file, nodes, List.of()));
      }
      if (name.equals("dgx-h100.xml")) {
        cases.add(new ProfileCase(file, 4, RARE_SETTINGS));
      }
      if (name.equals("hgx-b200.xml")) {
        cases.add(new ProfileCase(file, 2, List.of()));
      }
    }
    Path sharp = ShippedMachines.files().get(0).resolveSibling("hgx-h100-sharp.xml");
    cases.add(new ProfileCase(sharp, 4, List.of("NCCL_COLLNET_ENABLE=1")));
    cases.add(new ProfileCase(sharp, 4, List.of()));
    Path merged = sharp.resolveSibling("dgx-1v.xml");
    cases.add(new ProfileCase(merged, 2, List.of("NCCL_NET_MERGE_LEVEL=PHB")));
    cases.add(new ProfileCase(sharp.resolveSibling("hgx-h100-32nic.xml"), 4, List.of()));
    return cases;
  }

  /** Settings with which numbers count that the defaults do not look at. */
  private static final List<String> RARE_SETTINGS =
      List.of(
          "NCCL_PXN_C2C=0",
          "NCCL_NET_GDR_C2C=0",
          "NCCL_NTHREADS=32",
          "NCCL_LL128_NTHREADS=32",
          "NCCL_WORK_ARGS_BYTES=192");

  /** The answer under the default profile. */
  synchronized List<?> usual() {
    if (usual.isEmpty()) {
      usual =
          answer(
              () -> NcclProfile.DEFAULT,
              (domain, env, inputs) -> {
                usualGraphs.add(GraphSearch.findAll(domain, env, inputs));
                return usualGraphs.get(usualGraphs.size() - 1);
              });
    }
    return usual;
  }

  /** The decisions under a profile that may find other graphs than the default one. */
  List<?> answer(Supplier<NcclProfile> profile) {
    return answer(profile, GraphSearch::findAll);
  }

  /** The decisions with the graphs of the default profile: most of the time is their search. */
  List<?> answerOnUsualGraphs(Supplier<NcclProfile> profile) {
    usual();
    Iterator<NodeGraphs> graphs = usualGraphs.iterator();
    return answer(profile, (domain, env, inputs) -> graphs.next());
  }

  /** The decisions, or the reason why the profile or the job is refused. */
  private List<?> answer(Supplier<NcclProfile> profile, GraphSource graphs) {
    try {
      return decided(profile.get(), graphs);
    } catch (RuntimeException e) {
      return List.of(e.toString());
    }
  }

  private Topology topology(NcclProfile profile, Diagnostics diagnostics) {
    return new TopologyReader(UnknownElements.IGNORED, profile)
        .map(document, GpuSelection.ALL, diagnostics);
  }

  List<ChannelGraph> graphs(NcclProfile profile) {
    Topology topology = topology(profile, new Diagnostics());
    List<ChannelGraph> graphs = new ArrayList<>();
    for (Domain domain : DomainFinder.find(topology, settings, nodes > 1, profile)) {
      graphs.addAll(GraphSearch.findAll(domain, settings, new Inputs()).all());
    }
    return graphs;
  }

  private List<Object> decided(NcclProfile profile, GraphSource source) {
    List<Object> lines = new ArrayList<>();
    Diagnostics diagnostics = new Diagnostics();
    Topology topology = topology(profile, diagnostics);
    lines.add(diagnostics.list().toString());
    Job job = Job.ofEqual(new Machine(topology, settings), nodes);
    Communicator communicator = Communicator.of(job, source, profile);
    Connection connection = communicator.connection();
    Paths paths = connection.domain(0).paths();
    for (int from = 0; from < paths.topology().size(); from++) {
      for (int to = 0; to < paths.topology().size(); to++) {
        lines.add(paths.type(from, to) + " " + paths.bwGBps(from, to) + " " + paths.hops(from, to));
      }
    }
    lines.add(connection.searchedGraphs(0).all().toString());
    lines.add(connection.channelSteps().toString());
    lines.add(connection.bufferSizes(0) + " " + connection.p2pChannels(0));
    lines.add(connection.p2pSchedule().rounds(0, 0).toString());
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      lines.add(Arrays.toString(connection.rings().order(channel)));
    }
    connection.collNet().ifPresent(net -> lines.add(net.direct(0).toString()));
    lines.add(communicator.facts().nvlsChannels() + " " + connection.isAllNvlink(0));
    addTransfers(connection, lines);
    addTuning(communicator.tuner(), lines);
    for (String policy : List.of("0", "1", "2")) {
      NcclSettings withPolicy = settings.with(NcclSettings.of(Map.of("NCCL_CTA_POLICY", policy)));
      CallPaths calls = CallPaths.of(communicator, withPolicy, 1);
      if (policy.equals("1")) {
        addRegistered(calls, lines);
      } else {
        addSymmetric(calls.symmetric(), lines);
      }
    }
    return lines;
  }

  private static void addTransfers(Connection connection, List<Object> lines) {
    if (connection.profile().transfers().division == Division.PIECES) {
      lines.add("no transfers");
      return;
    }
    PeerPlanner planner = new PeerPlanner(connection);
    for (PeerOperation operation : List.of(PeerOperation.SENDRECV, PeerOperation.ALLTOALL)) {
      for (int power : new int[] {12, 17, 28}) {
        Traffic traffic = Traffic.of(operation, 3L << power, connection.nRanks(), 0);
        lines.add(planner.call(connection.nRanks() - 1, traffic));
      }
    }
  }

  private static void addSymmetric(SymmetricTuner tuner, List<Object> lines) {
    for (Operation operation : Operation.all()) {
      for (DataType type : List.of(DataType.FLOAT32, DataType.FLOAT8_E4M3)) {
        for (int power = 3; power < 38; power += 2) {
          for (int calls : new int[] {1, 99}) {
            SymmetricCall call =
                new SymmetricCall(operation, 3L << power, type, ReductionOperator.SUM, calls);
            lines.add(tuner.decide(call, Buffers.SYMMETRIC));
          }
        }
      }
    }
  }

  private static void addRegistered(CallPaths paths, List<Object> lines) {
    for (Collective collective : Collective.values()) {
      for (int power = 3; power < 34; power += 2) {
        lines.add(paths.of(CollectiveCall.of(collective, 3L << power), Buffers.REGISTERED));
      }
    }
  }

  private static void addTuning(Tuner tuner, List<Object> lines) {
    for (Collective collective : Collective.values()) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (Protocol protocol : Protocol.values()) {
          lines.add(
              tuner.model().latencyUs(collective, algorithm, protocol)
                  + " "
                  + tuner.model().bandwidthGBps(collective, algorithm, protocol)
                  + " "
                  + tuner.threadLimits().maxThreads(algorithm, protocol)
                  + " "
                  + tuner.threadLimits().thresholdBytes(algorithm, protocol));
        }
      }
      for (DataType type : List.of(DataType.FLOAT32, DataType.FLOAT8_E4M3)) {
        for (int power = 3; power < 32; power += 2) {
          CollectiveCall call =
              new CollectiveCall(
                  collective, 3L << power, type, ReductionOperator.SUM, power == 9 ? 20 : 1);
          lines.add(tuner.estimates(call));
          Decision decision = tuner.decide(call);
          lines.add(decision);
          decision.choice().ifPresent(c -> lines.add(ChannelShare.share(tuner.facts(), call, c)));
          for (Algorithm algorithm : power % 12 == 3 ? Algorithm.values() : new Algorithm[0]) {
            for (Protocol protocol : Protocol.values()) {
              lines.add(tuner.decide(call, algorithm, protocol));
            }
          }
        }
      }
    }
  }

  @Override
  public String toString() {
    return file.getFileName() + " on " + nodes;
  }
}
