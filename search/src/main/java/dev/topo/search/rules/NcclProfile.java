package dev.topo.search.rules;

import dev.topo.model.RecentMap;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.LaunchRules.BufferRules;
import dev.topo.search.rules.LaunchRules.RegistrationRules;
import dev.topo.search.rules.LaunchRules.TransferRules;
import dev.topo.search.rules.ReleaseRules.CoveredReleases;
import dev.topo.search.rules.RuleTable.Rules;
import dev.topo.search.rules.SettingVersions.SettingLimits;
import dev.topo.search.rules.TopologyRules.LinkBandwidths;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rules of one NCCL version: all numbers, tables and defaults that differ between versions.
 * They come from a resource {@code VERSION.rules} of this package, which names the origin of each.
 * The resource of 2.28.9 is complete; the others list differences from a neighbouring version. A
 * profile is chosen once for a job and passed on from the reader of the topology file to the tuner;
 * no other code depends on the version. The rules of a subject are read when they are first
 * requested: most questions have neither symmetric windows nor sends. Thread-safe.
 */
public final class NcclProfile {
  /** The name of the fault of a channel through a port that its node lacks. */
  public static final String ABSENT_PORT = "port-0";

  /** Jobs rarely have more different settings at a time. */
  private static final int MOST_COMPLETED = 16;

  private static final Map<String, NcclProfile> LOADED = new ConcurrentHashMap<>();

  /** The default profile. */
  public static final NcclProfile DEFAULT = of("2.28.9");

  private final String version;
  private final RuleTable table;
  private final NcclSettings settingDefaults;
  private final Map<String, String> faults;
  private final Map<Class<? extends Rules>, Rules> subjects = new ConcurrentHashMap<>();
  private final RecentMap.Results<NcclSettings, NcclSettings> completed =
      new RecentMap.Results<>(MOST_COMPLETED);

  private NcclProfile(String version, RuleTable table) {
    this.version = version;
    this.table = table;
    this.settingDefaults = NcclSettings.of(table.group("setting."));
    this.faults = table.group("fault.");
  }

  /** The versions that have a profile, oldest first. */
  public static List<String> versions() {
    return CoveredReleases.all().stream().map(CoveredReleases::version).toList();
  }

  /**
   * The profile of a version; the same object on every call.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static NcclProfile of(String version) {
    return LOADED.computeIfAbsent(version, NcclProfile::load);
  }

  private static NcclProfile load(String version) {
    if (!versions().contains(version)) {
      throw new IllegalArgumentException("NCCL " + version + ": expected one of " + versions());
    }
    return new NcclProfile(version, new RuleTable(version, entries(version)));
  }

  /**
   * A profile of these entries with the rules of all subjects, for tests.
   *
   * @throws IllegalArgumentException if an entry is missing, wrong or unknown
   */
  static NcclProfile of(String version, Map<String, String> entries) {
    NcclProfile profile = new NcclProfile(version, new RuleTable(version, entries));
    profile.xml();
    profile.topology();
    profile.links();
    profile.paths();
    profile.search();
    profile.connect();
    profile.transfers();
    profile.buffers();
    profile.tuning();
    profile.launch();
    profile.symmetric();
    profile.registration();
    profile.table.rejectUnread();
    return profile;
  }

  /** The entries that a version has, in order. */
  static Map<String, String> entries(String version) {
    return RuleTable.load(NcclProfile.class, version);
  }

  private <T extends Rules> T rules(Class<T> subject, Function<RuleTable, T> read) {
    Rules known = subjects.get(subject);
    return subject.cast(
        known == null ? subjects.computeIfAbsent(subject, key -> read.apply(table)) : known);
  }

  /** The version, as NCCL writes it. */
  public String version() {
    return version;
  }

  /** Defaults of settings. */
  public NcclSettings settingDefaults() {
    return settingDefaults;
  }

  /** Limits of files and topologies. */
  public XmlRules xml() {
    return rules(XmlRules.class, XmlRules::new);
  }

  /** Rules of building a topology. */
  public TopologyRules topology() {
    return rules(TopologyRules.class, TopologyRules::new);
  }

  /** Bandwidths of links. */
  public LinkBandwidths links() {
    return rules(LinkBandwidths.class, LinkBandwidths::new);
  }

  /** Rules of paths. */
  public PathRules paths() {
    return rules(PathRules.class, PathRules::new);
  }

  /** Rules of the channel search. */
  public SearchRules search() {
    return rules(SearchRules.class, SearchRules::new);
  }

  /** Rules of connecting nodes, and of channels for sends and receives. */
  public ConnectRules connect() {
    return rules(ConnectRules.class, ConnectRules::new);
  }

  /** Rules of sends and receives. */
  public TransferRules transfers() {
    return rules(TransferRules.class, TransferRules::new);
  }

  /** Sizes of buffers. */
  public BufferRules buffers() {
    return rules(BufferRules.class, BufferRules::new);
  }

  /** Constants of the tuning model. */
  public TuningRules tuning() {
    return rules(TuningRules.class, TuningRules::new);
  }

  /** Rules of threads and channels of a call. */
  public LaunchRules launch() {
    return rules(LaunchRules.class, LaunchRules::new);
  }

  /** Rules of kernels for symmetric windows. */
  public SymmetricRules symmetric() {
    return rules(SymmetricRules.class, SymmetricRules::new);
  }

  /** Effects of registered buffers. */
  public RegistrationRules registration() {
    return rules(RegistrationRules.class, RegistrationRules::new);
  }

  /**
   * Settings of the user, completed by the defaults of this version; settings that are complete
   * stay as they are. Settings that the version does not have are ignored.
   *
   * @throws dev.topo.model.job.SettingException for a value with which NCCL fails or its behaviour
   *     is undefined
   */
  public NcclSettings complete(NcclSettings settings) {
    if (settings.values().isEmpty() || settings.equals(settingDefaults)) {
      return settingDefaults;
    }
    return completed
        .find(settings)
        .orElseGet(
            () -> {
              NcclSettings existing = SettingVersions.existing(settings, this);
              SettingLimits.check(existing, buffers());
              return completed.keep(settings, settingDefaults.with(existing));
            });
  }

  /** A known fault of the release, in words; empty if it does not have it. */
  public Optional<String> fault(String name) {
    return Optional.ofNullable(faults.get(name))
        .map(text -> "a fault of NCCL %s: %s".formatted(version, text));
  }

  /**
   * Fails as the release does if it has a fault.
   *
   * @throws UnusableTopologyException if it has the fault
   */
  public void failBy(String name) {
    if (fault(name).isPresent()) {
      throw new UnusableTopologyException(fault(name).get());
    }
  }

  @Override
  public String toString() {
    return version;
  }

  /** Limits of topology files and of topologies. */
  public static final class XmlRules extends Rules {
    public final int version = table.integer("xml.version");
    public final int maxElements = table.integer("xml.max-elements");

    public final int maxNodesPerType = table.integer("xml.max-nodes-per-type");

    /** Connections of a port without {@code maxconn}: as many as there are channels. */
    public final int portConnections = table.integer("channels.max");

    private final List<String> furtherAttributes = table.words("xml.further-attributes");

    /**
     * Attributes, each as {@code net.speed}, that NCCL writes differently from 2.28.9 for the
     * machine that it runs on.
     */
    public final List<String> detectedOtherwise =
        Stream.of(furtherAttributes, table.words("xml.detected-otherwise"))
            .flatMap(List::stream)
            .filter(attribute -> !attribute.equals("none"))
            .toList();

    XmlRules(RuleTable table) {
      super(table);
    }

    /** True if an attribute is read that 2.28.9 does not know. */
    public boolean readsFurther(String element, String attribute) {
      return furtherAttributes.contains(element + "." + attribute);
    }
  }
}
