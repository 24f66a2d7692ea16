package dev.topo.inspect.caveat;

import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Subject;
import dev.topo.model.NicDistance;
import dev.topo.model.NicMerging;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.model.nic.NameFilter;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.SettingVersions.SettingNotes;
import dev.topo.search.topology.DeclaredTopology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Collects the caveats of an answer, and reports the settings that have no effect on it. */
public final class CaveatCollector {
  private static final String TOPO_FILE = "NCCL_TOPO_FILE";
  private static final String MERGE_LEVEL = "NCCL_NET_MERGE_LEVEL";

  private final Function<Path, XmlElement> systems;
  private final BooleanSupplier isWired;
  private final Supplier<ReleaseRules> rules;
  private final Inputs inputs;
  private final Consumer<String> notes;
  private final List<Caveat> caveats = new ArrayList<>();
  private boolean domainsAreStated;
  private final Set<String> noted = new HashSet<>();

  /**
   * Collector without caveats.
   *
   * @param systems returns the {@code <system>} element of a file
   * @param isWired whether the user states the NVLinks, even if there are none
   * @param rules rules of the answer, requested when a machine or a job is added
   * @param inputs reads the file of NCCL_TOPO_FILE
   * @param notes receives the notes on settings
   */
  public CaveatCollector(
      Function<Path, XmlElement> systems,
      BooleanSupplier isWired,
      Supplier<ReleaseRules> rules,
      Inputs inputs,
      Consumer<String> notes) {
    this.systems = systems;
    this.isWired = isWired;
    this.rules = rules;
    this.inputs = inputs;
    this.notes = notes;
  }

  /** Caveats so far, without duplicates. */
  public List<Caveat> list() {
    return CaveatFinder.grouped(caveats);
  }

  /**
   * Records that the user states the NVLink domains: other nodes are joined by the network only.
   */
  public void useStatedDomains() {
    domainsAreStated = true;
  }

  /** Adds caveats that were found elsewhere. */
  public void add(List<Caveat> more) {
    caveats.addAll(more);
  }

  /** Adds the caveats of a machine, for any job. */
  public void addMachine(Path file, Topology topology, NcclSettings settings) {
    add(
        new CaveatJob(
            List.of(subject(file, topology)), 1, CaveatJob.Scope.MACHINE, settings, rules.get()));
  }

  /**
   * Adds the caveats of a job.
   *
   * @param machines topologies of its machines by file
   * @param nodes nodes of its largest communicator
   * @param isShared whether several communicators share a node
   */
  public void addJob(
      Map<Path, Topology> machines, int nodes, boolean isShared, NcclSettings settings) {
    Map<Path, Subject> subjects = new LinkedHashMap<>();
    machines.forEach((file, topology) -> subjects.put(file, subject(file, topology)));
    Map<Path, Subject> declared = new LinkedHashMap<>();
    machines
        .values()
        .forEach(
            topology ->
                declared(topology, nodes, settings)
                    .ifPresent(
                        seen -> {
                          Path file = Path.of(seen.system().location().file());
                          declared.putIfAbsent(
                              file,
                              subject(file, seen.topology(rules.get().profile()), seen.system()));
                        }));
    declared.forEach(subjects::putIfAbsent);
    add(List.copyOf(subjects.values()), nodes, isShared, settings);
  }

  /**
   * Machine with the file of NCCL_TOPO_FILE; reports NCCL's changes of it.
   *
   * @param nodes nodes of the job
   */
  public DeclaredTopology declared(
      XmlElement file, Topology machine, int nodes, NcclSettings settings) {
    return noted(DeclaredTopology.of(file, machine), nodes, settings);
  }

  /** Machine with the file of a topology; reports NCCL's changes of it. */
  public DeclaredTopology declared(
      Topology file, Topology machine, int nodes, NcclSettings settings) {
    return noted(DeclaredTopology.of(file, machine), nodes, settings);
  }

  /** Machine with the file of NCCL_TOPO_FILE; empty if the setting is absent. */
  public Optional<DeclaredTopology> declared(Topology machine, int nodes, NcclSettings settings) {
    return settings
        .text(TOPO_FILE)
        .map(file -> new XmlReader().read(Path.of(file), inputs).root())
        .map(file -> declared(file, machine, nodes, settings));
  }

  private DeclaredTopology noted(DeclaredTopology declared, int nodes, NcclSettings settings) {
    declared.notes(nodes > 1 || !settings.sharedMemory()).stream()
        .map(note -> "note: " + note)
        .filter(noted::add)
        .forEach(notes);
    return declared;
  }

  /** Adds caveats of machines that need not be in files. */
  public void add(List<Subject> machines, int nodes, boolean isShared, NcclSettings settings) {
    CaveatJob.Scope scope = isShared ? CaveatJob.Scope.SHARED_NODES : CaveatJob.Scope.COMMUNICATOR;
    add(new CaveatJob(machines, nodes, scope, settings, rules.get()));
  }

  /** Adds the caveats of a job, and reports its other settings without effect. */
  private void add(CaveatJob job) {
    CaveatFinder.find(job).stream()
        .filter(caveat -> !domainsAreStated || !caveat.id().equals(ModelLimit.NVLINK_DOMAIN.id()))
        .forEach(caveats::add);
    if (!job.settings().values().isEmpty()) {
      noteSettings(job);
    }
  }

  /** Reports settings that NCCL changes and those that the answer ignores. */
  private void noteSettings(CaveatJob job) {
    job.settings()
        .text(MERGE_LEVEL)
        .filter(level -> NicDistance.level(level).isEmpty() && noted.add(MERGE_LEVEL))
        .ifPresent(
            level ->
                notes.accept(
                    "note: NCCL takes NCCL_NET_MERGE_LEVEL="
                        + level
                        + " for LOC, expected LOC, PORT, PIX, PXB, P2C, PXN, PHB or SYS"));
    if (job.scope() != CaveatJob.Scope.MACHINE) {
      SettingNotes.corrected(job.settings(), job.rules().profile()).stream()
          .filter(noted::add)
          .forEach(notes);
    }
    if (isFollowed(job, NcclSettings.HCAS)) {
      job.settings().hcas().ifPresent(list -> noteUnknownHcas(job, list));
    }
    Set<SettingScope> scopes = EnumSet.allOf(SettingScope.class);
    scopes.removeIf(scope -> scope.isModelled() || scope == SettingScope.NO_INFLUENCE);
    for (String name : job.settings().names(scopes)) {
      if (!isFollowed(job, name) && !CaveatFinder.isMarkedBy(job, name) && noted.add(name)) {
        notes.accept("note: " + name + " ignored: no effect on this answer");
      }
    }
  }

  /** Reports names in NCCL_IB_HCA that match no port; NCCL ignores them silently. */
  private void noteUnknownHcas(CaveatJob job, String list) {
    NameFilter filter = NameFilter.parse(list, Integer.MAX_VALUE);
    List<NetNode> ports =
        job.machines().stream()
            .flatMap(machine -> machine.topology().merged(Optional.empty()).nets().stream())
            .toList();
    List<NameFilter.Entry> unknown =
        filter.entries().stream()
            .filter(entry -> ports.stream().noneMatch(port -> matches(port, entry, filter)))
            .toList();
    // If no port is left, the answer is an error.
    if (filter.forbids() || unknown.size() < filter.entries().size()) {
      unknown.stream()
          .map(entry -> "note: NCCL_IB_HCA: no port of the job matches " + entry)
          .filter(noted::add)
          .forEach(notes);
    }
  }

  private static boolean matches(NetNode port, NameFilter.Entry entry, NameFilter filter) {
    return port.name().contains(NicMerging.JOINT)
        || new NameFilter(false, filter.exact(), List.of(entry)).allows(port.name(), port.port());
  }

  /**
   * True if the answer follows a setting: the topology file, invalid ids of the NVLink domain, or a
   * choice of ports.
   */
  private static boolean isFollowed(CaveatJob job, String name) {
    return name.equals(TOPO_FILE)
        || (name.equals(DomainFinder.CLUSTER) && !DomainFinder.hasCluster(job.settings()))
        || (name.equals(NcclSettings.HCAS)
            && changesPorts(job, Optional.empty(), job.settings().hcas()))
        || (MergedPorts.SETTINGS.contains(name)
            && changesPorts(job, job.settings().nicMerging(), Optional.empty()));
  }

  private static boolean changesPorts(
      CaveatJob job, Optional<NicMerging> merging, Optional<String> hcas) {
    return job.usesNetwork()
        && job.machines().stream()
            .map(Subject::topology)
            .anyMatch(machine -> machine.seen(merging, hcas) != machine.merged(Optional.empty()));
  }

  /** Machine as its file describes it. */
  public Subject subject(Path file, Topology topology) {
    return subject(file, topology, systems.apply(file));
  }

  private Subject subject(Path file, Topology topology, XmlElement system) {
    return new Subject(MachineName.of(file), topology, system, isWired.getAsBoolean());
  }

  /**
   * Job of an answer.
   *
   * @param machines its distinct machines
   * @param nodes nodes of its largest communicator
   * @param scope part of the job that the answer covers
   * @param settings settings of its processes
   * @param rules rules of their NCCL release
   */
  public record CaveatJob(
      List<Subject> machines, int nodes, Scope scope, NcclSettings settings, ReleaseRules rules) {
    public CaveatJob {
      machines = List.copyOf(machines);
    }

    /** The part of a job that an answer covers. */
    public enum Scope {
      /** One machine with its network ports, independent of a job. */
      MACHINE,
      /** One communicator at a time. */
      COMMUNICATOR,
      /** Communicators that share nodes. */
      SHARED_NODES
    }

    /**
     * Machine of a job.
     *
     * @param name its name in messages
     * @param topology its devices that take part
     * @param file its {@code <system>} element
     * @param isWired whether the user states the NVLinks, even if there are none
     */
    public record Subject(String name, Topology topology, XmlElement file, boolean isWired) {
      /** True if the file describes a domain of several hosts. */
      boolean hasSeveralHosts() {
        return topology.cpus().stream().map(cpu -> cpu.systemId()).distinct().count() > 1;
      }
    }

    boolean usesNetwork() {
      return scope == Scope.MACHINE
          || nodes > 1
          || !settings.sharedMemory()
          || machines.stream().anyMatch(Subject::hasSeveralHosts);
    }
  }
}
