package dev.topo.inspect.caveat;

import dev.topo.inspect.caveat.CaveatCollector.CaveatJob;
import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Scope;
import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Subject;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.Link.LinkType;
import dev.topo.model.MachineKind;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.SwitchedGpu;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.xml.NamedMachine;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.path.PathFinder.PeerLimit;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules.NvlinkDomains;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.RankFusion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds the limits of the model that matter for a job. Caveats that differ only in their subjects
 * are merged.
 */
public final class CaveatFinder {
  private static final String TOPO_FILE = "NCCL_TOPO_FILE";
  private static final String MNNVL_ENABLE = "NCCL_MNNVL_ENABLE";

  /** Special values of the settings for domain ids. */
  private static final int ID_OF_GPU = -1;

  private static final int CLIQUE_OF_RACK = -2;

  /** The limit of the model where settings select TCP. */
  private static final String SOCKETS =
      "changes what NCCL does and is not modelled, except that times between nodes are those of TCP;"
          + " else the answer is the one without it";

  private final NcclProfile profile;
  private final CaveatJob job;

  private CaveatFinder(CaveatJob job) {
    this.profile = job.rules().profile();
    this.job = job;
  }

  /** Caveats of the answers for a job; empty if everything is modelled. */
  public static List<Caveat> find(CaveatJob job) {
    return new CaveatFinder(job).all();
  }

  /**
   * True if the caveats of a job change when one of its settings is removed; the settings for
   * merging ports are removed together.
   */
  static boolean isMarkedBy(CaveatJob job, String name) {
    Map<String, String> others = new TreeMap<>(job.settings().values());
    others
        .keySet()
        .removeAll(MergedPorts.SETTINGS.contains(name) ? MergedPorts.SETTINGS : Set.of(name));
    CaveatJob without =
        new CaveatJob(
            job.machines(), job.nodes(), job.scope(), NcclSettings.of(others), job.rules());
    return !find(job).equals(find(without));
  }

  /** Merges caveats that differ only in their subjects. */
  public static List<Caveat> grouped(List<Caveat> caveats) {
    Map<Caveat, Set<String>> subjects = new LinkedHashMap<>();
    for (Caveat caveat : caveats) {
      subjects
          .computeIfAbsent(
              new Caveat(caveat.id(), "", caveat.message(), caveat.remedy()),
              same -> new LinkedHashSet<>())
          .add(caveat.subject());
    }
    return subjects.entrySet().stream()
        .map(
            entry ->
                new Caveat(
                    entry.getKey().id(),
                    String.join(", ", entry.getValue()),
                    entry.getKey().message(),
                    entry.getKey().remedy()))
        .toList();
  }

  private List<Caveat> all() {
    List<Caveat> found = new ArrayList<>(ofRelease(job.rules()));
    job.machines().stream()
        .map(machine -> machine.file().location().file())
        .distinct()
        .map(file -> NamedMachine.of(Path.of(file)))
        .flatMap(Optional::stream)
        .map(machine -> ModelLimit.MACHINE_NAME.about(machine.label()))
        .forEach(found::add);
    of(ModelLimit.NVLINK_DOMAIN, this::mayShareNvlink, found);
    domains(found);
    if (job.nodes() > 1
        && job.scope() != Scope.MACHINE
        && MachineKind.differ(job.machines().stream().map(Subject::topology).toList())) {
      found.add(
          ModelLimit.MIXED_MACHINES.about(
              job.machines().stream()
                  .map(Subject::name)
                  .distinct()
                  .collect(Collectors.joining(", "))));
    }
    of(ModelLimit.DOMAIN_IDS, this::mayHaveOtherIds, found);
    of(ModelLimit.NEWER_GPU, this::hasUnknownNvlinks, found);
    of(ModelLimit.OLD_RELEASE, this::hasNewerGpus, found);
    for (Subject machine : job.machines()) {
      if (!machine.isWired()) {
        found.addAll(MissingNvlinks.of(machine));
      }
    }
    parts(ModelLimit.DEVICE_ORDER, machine -> RankFusion.moved(machine.topology()), found);
    of(
        ModelLimit.UNKNOWN_P2P,
        machine -> PeerLimit.isUnknown(machine.topology(), settingsOfJob(), profile),
        found);
    of(ModelLimit.NIC_MERGE, this::hasPortsToMerge, found);
    of(ModelLimit.SHARED_PORT, this::sharesPorts, found);
    parts(ModelLimit.MERGED_PORTS, machine -> MergedPorts.describe(machine, job.settings()), found);
    of(ModelLimit.NO_GPUDIRECT, this::copiesThroughHost, found);
    if (job.scope() == Scope.SHARED_NODES) {
      of(ModelLimit.CONCURRENT_GROUPS, machine -> true, found);
    }
    Set<String> harmful = job.settings().harms().keySet();
    if (!harmful.isEmpty() && job.scope() != Scope.MACHINE) {
      found.add(ModelLimit.HARMFUL_SETTING.about(String.join(", ", harmful)));
    }
    Set<String> settings = settings();
    if (!settings.isEmpty()) {
      found.add(
          ofSettings(
              QuantityFormat.joined(
                  ", ", settings, name -> name + "=" + job.settings().text(name).orElse(""))));
    }
    return grouped(found);
  }

  private Caveat ofSettings(String settings) {
    Caveat caveat = ModelLimit.SETTING.about(settings);
    return job.scope() != Scope.MACHINE && job.usesNetwork() && job.settings().usesSockets()
        ? new Caveat(caveat.id(), settings, SOCKETS, caveat.remedy())
        : caveat;
  }

  /** Caveat if the rules are not the release's own, compared ones; otherwise empty. */
  public static List<Caveat> ofRelease(ReleaseRules rules) {
    String subject = "NCCL " + rules.release() + " (rules of " + rules.profile() + ")";
    return switch (rules.fit()) {
      case COVERED -> List.of();
      case READ -> List.of(ModelLimit.READ_RULES.about("NCCL " + rules.release()));
      case NEAREST_OLDER -> List.of(ModelLimit.NCCL_RELEASE.about(subject));
      case NEWEST -> List.of(ModelLimit.NEWER_NCCL.about(subject));
    };
  }

  /** Caveats for a job that the rules of a release do not cover, one for each reason. */
  public static List<Caveat> withoutRules(List<String> reasons) {
    return reasons.stream().map(ModelLimit.NO_RULES::about).toList();
  }

  /**
   * Caveats for machines that are NVLink domains, if the release's rules for these were not
   * compared; otherwise empty.
   */
  public static List<Caveat> ofDomains(List<Subject> machines, ReleaseRules rules) {
    List<Caveat> found = new ArrayList<>();
    new CaveatFinder(new CaveatJob(machines, 1, Scope.COMMUNICATOR, NcclSettings.DEFAULTS, rules))
        .domains(found);
    return grouped(found);
  }

  private void domains(List<Caveat> found) {
    of(ModelLimit.DOMAIN_RULES, this::hasDomainNotCompared, found);
  }

  private void of(ModelLimit limit, Predicate<Subject> applies, List<Caveat> found) {
    job.machines().stream()
        .filter(applies)
        .map(machine -> limit.about(machine.name()))
        .forEach(found::add);
  }

  /**
   * Adds a caveat for each machine with affected parts, which {@code words} lists; empty for none.
   */
  private void parts(ModelLimit limit, Function<Subject, String> words, List<Caveat> found) {
    for (Subject machine : job.machines()) {
      String parts = words.apply(machine);
      if (!parts.isEmpty()) {
        found.add(limit.about("%s (%s)".formatted(machine.name(), parts)));
      }
    }
  }

  private boolean hasUnknownNvlinks(Subject machine) {
    Topology topology = machine.topology();
    return Arrays.stream(topology.indexes(NodeType.GPU))
        .anyMatch(
            gpu ->
                topology.node(gpu) instanceof GpuNode node
                    && !profile.links().knowsNvlink(node.sm())
                    && topology.links(gpu).stream().anyMatch(link -> link.type() == LinkType.NVL));
  }

  private boolean hasNewerGpus(Subject machine) {
    return machine.topology().gpus().stream()
        .anyMatch(gpu -> gpu.sm() > profile.topology().newestSm);
  }

  private boolean hasDomainNotCompared(Subject machine) {
    return machine.topology().nHosts() > 1
        && job.rules().profile().paths().nvlinkDomains != NvlinkDomains.COMPARED;
  }

  /**
   * True if nodes of a machine may share NVLink: racks whose NVSwitches join the GPUs of all nodes
   * have Arm CPUs, and a machine of several hosts is such a domain already; NCCL asks the driver
   * which nodes are joined ({@code nccl:src/mnnvl.cc}).
   */
  private boolean mayShareNvlink(Subject machine) {
    return job.scope() != Scope.MACHINE
        && job.nodes() > 1
        && isOfRack(machine)
        && machine.topology().nHosts() == 1
        && settingsOfJob().integer(MNNVL_ENABLE, 0) != 0
        && DomainFinder.joinsHosts(settingsOfJob());
  }

  /**
   * True if ids set for all ranks may change the domains: equal ids change nothing in one domain
   * but may join several; the clique -2 means one per rack, which files do not name ({@code
   * fillInfo}, {@code nccl:src/init.cc}).
   */
  private boolean mayHaveOtherIds(Subject machine) {
    NcclSettings settings = settingsOfJob();
    int clique = settings.integer("NCCL_MNNVL_CLIQUE_ID", ID_OF_GPU);
    boolean setsIds =
        clique != ID_OF_GPU || settings.longInteger("NCCL_MNNVL_UUID", ID_OF_GPU) != ID_OF_GPU;
    return machine.topology().nHosts() > 1
        && DomainFinder.joinsHosts(settings)
        && (clique == CLIQUE_OF_RACK || (setsIds && job.nodes() > 1));
  }

  private static boolean isOfRack(Subject machine) {
    Topology topology = machine.topology();
    return topology.hasNvSwitch()
        && topology.cpus().stream().anyMatch(cpu -> cpu.arch() == CpuArch.ARM);
  }

  private boolean hasPortsToMerge(Subject machine) {
    return job.usesNetwork()
        && MergedPorts.areLeftSeparate(machine, job.settings(), settingsOfJob());
  }

  private boolean sharesPorts(Subject machine) {
    List<NetNode> ports = machine.topology().nets();
    return job.usesNetwork()
        && ports.stream().map(NetNode::cable).distinct().count() < ports.size();
  }

  private boolean copiesThroughHost(Subject machine) {
    Topology topology = machine.topology();
    return job.scope() != Scope.MACHINE
        && job.nodes() > 1
        && topology.nets().stream().anyMatch(port -> !port.isInterface())
        && isVirtual(machine.file())
        && !hasGpuDirect(topology);
  }

  /** True if all GPUs and ports of a machine support GPUDirect RDMA. */
  public static boolean hasGpuDirect(Topology topology) {
    return topology.gpus().stream().allMatch(GpuNode::gdr)
        && topology.nets().stream().allMatch(NetNode::gdr);
  }

  /**
   * True if an element looks virtual: a hypervisor puts GPUs on the first bus, or knows neither
   * their NUMA domain nor their link.
   */
  private static boolean isVirtual(XmlElement element) {
    boolean holdsGpu = !element.elements("gpu").isEmpty();
    return (holdsGpu
            && (element.attribute("busid").orElse("").matches("[0-9a-fA-F]+:00:.*")
                || element.attribute("link_speed").filter(String::isEmpty).isPresent()))
        || (element.attribute("numaid").orElse("").startsWith("-"))
        || element.elements().stream().anyMatch(CaveatFinder::isVirtual);
  }

  /**
   * Caveat if edits disable GPUDirect RDMA; otherwise empty.
   *
   * @param before the machine before edits
   * @param after the machine after edits
   * @param nodes nodes of the job
   */
  public static List<Caveat> ofChange(Subject before, Topology after, int nodes) {
    boolean loses =
        nodes > 1
            && !after.nets().isEmpty()
            && hasGpuDirect(before.topology())
            && !hasGpuDirect(after);
    return loses ? List.of(ModelLimit.NO_GPUDIRECT.about(before.name())) : List.of();
  }

  /**
   * Limits of a release's rules for some calls: sends and receives not compared with real runs, and
   * symmetric kernels not compared with the release's own choice.
   *
   * @param isSymmetric whether the buffers of collectives are symmetric windows
   */
  public static List<Caveat> ofCalls(
      NcclProfile profile, Collection<? extends Operation> operations, boolean isSymmetric) {
    List<Caveat> found = new ArrayList<>();
    if (operations.stream().anyMatch(PeerOperation.class::isInstance)
        && !profile.transfers().comparedWithGpus) {
      found.add(ModelLimit.TRANSFER_RULES.about("NCCL " + profile));
    }
    if (isSymmetric && !profile.symmetric().compared) {
      found.add(ModelLimit.WINDOW_RULES.about("NCCL " + profile));
    }
    return found;
  }

  /**
   * Caveat about memory that the figures do not include.
   *
   * @param parts purposes of that memory
   */
  public static List<Caveat> ofMemory(List<String> parts) {
    return parts.stream().map(ModelLimit.MEMORY_PARTS::about).toList();
  }

  /** Caveat if a release detects machines differently from a probe; otherwise empty. */
  public static List<Caveat> ofDetection(NcclProfile profile) {
    List<String> attributes = profile.xml().detectedOtherwise;
    return attributes.isEmpty()
        ? List.of()
        : List.of(
            ModelLimit.DETECTION.about(
                "NCCL %s (%s)".formatted(profile, String.join(", ", attributes))));
  }

  /** Caveat of the comparison of a virtual machine with its host. */
  public static Caveat ofGuest(String name) {
    return ModelLimit.GUEST_GPUDIRECT.about(name);
  }

  private NcclSettings settingsOfJob() {
    return profile.complete(job.settings());
  }

  private Set<String> settings() {
    Set<SettingScope> scopes = EnumSet.of(SettingScope.NOT_MODELLED, SettingScope.BUFFERS);
    if (job.usesNetwork()) {
      scopes.add(SettingScope.MACHINE);
    }
    if (job.usesNetwork() && job.scope() != Scope.MACHINE) {
      scopes.add(SettingScope.TRANSPORT);
    }
    Set<String> marking = new TreeSet<>(job.settings().names(scopes));
    marking.removeIf(name -> isDefault(name) || MergedPorts.SETTINGS.contains(name));
    marking.remove(NcclSettings.HCAS);
    if (job.scope() == Scope.MACHINE) {
      job.settings().text(TOPO_FILE).ifPresent(file -> marking.add(TOPO_FILE));
    } else {
      marking.remove(TOPO_FILE);
    }
    if (job.usesNetwork()) {
      marking.addAll(MergedPorts.notModelled(job.settings(), settingsOfJob(), job.machines()));
    }
    return marking;
  }

  private boolean isDefault(String name) {
    String value = job.settings().text(name).orElse("");
    return profile.settingDefaults().text(name).filter(value::equalsIgnoreCase).isPresent();
  }

  /** GPUs without NVLink in a file whose model always, or usually, has NVLinks. */
  static final class MissingNvlinks {
    private MissingNvlinks() {}

    /** Caveats for each model among the participating GPUs. */
    static List<Caveat> of(Subject machine) {
      Set<Integer> selected =
          machine.topology().gpus().stream().map(GpuNode::dev).collect(Collectors.toSet());
      Map<SwitchedGpu, List<Integer>> found = new LinkedHashMap<>();
      collect(machine.file(), selected, found);
      List<Caveat> caveats = new ArrayList<>();
      if (machine.topology().gpus().size() > 1) {
        found.forEach((gpu, devs) -> caveats.add(caveat(machine.name(), gpu, devs)));
      }
      return caveats;
    }

    private static Caveat caveat(String name, SwitchedGpu gpu, List<Integer> devs) {
      ModelLimit limit = gpu.isCertain() ? ModelLimit.MISSING_NVLINK : ModelLimit.POSSIBLE_NVLINK;
      String subject =
          "%s, %s x %s (dev %s)"
              .formatted(name, devs.size(), gpu.model(), QuantityFormat.ranges(devs));
      return limit.about(subject, gpu.model().toLowerCase(Locale.ROOT));
    }

    private static void collect(
        XmlElement element, Set<Integer> selected, Map<SwitchedGpu, List<Integer>> found) {
      for (XmlElement child : element.elements()) {
        if (child.name().equals("gpu") && child.elements("nvlink").isEmpty()) {
          String device = element.attribute("device").orElse("").toLowerCase(Locale.ROOT);
          int dev = number(child.attribute("dev").orElse(""));
          SwitchedGpu.of(device, child.attribute("sm").orElse(""))
              .filter(gpu -> selected.contains(dev))
              .ifPresent(gpu -> found.computeIfAbsent(gpu, g -> new ArrayList<>()).add(dev));
        }
        collect(child, selected, found);
      }
    }

    private static int number(String text) {
      return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
    }
  }
}
