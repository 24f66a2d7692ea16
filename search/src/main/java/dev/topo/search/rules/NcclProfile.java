package dev.topo.search.rules;

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
import java.util.stream.Stream;

/**
 * The rules of one NCCL version: all numbers, tables and defaults that differ between versions.
 * They come from a resource {@code VERSION.rules} of this package, which names the origin of each.
 * The resource of 2.28.9 is complete; the others list differences from a neighbouring version. A
 * profile is chosen once for a job and passed on from the reader of the topology file to the tuner;
 * no other code depends on the version.
 *
 * @param version the version, as NCCL writes it
 * @param settingDefaults defaults of settings
 * @param xml limits of files and topologies
 * @param topology rules of building a topology
 * @param links bandwidths of links
 * @param paths rules of paths
 * @param search rules of the channel search
 * @param connect rules of connecting nodes, and of channels for sends and receives
 * @param transfers rules of sends and receives
 * @param buffers sizes of buffers
 * @param tuning constants of the tuning model
 * @param launch rules of threads and channels of a call
 * @param symmetric rules of kernels for symmetric windows
 * @param registration effects of registered buffers
 * @param faults faults of the release, by name
 */
public record NcclProfile(
    String version,
    NcclSettings settingDefaults,
    XmlRules xml,
    TopologyRules topology,
    LinkBandwidths links,
    PathRules paths,
    SearchRules search,
    ConnectRules connect,
    TransferRules transfers,
    BufferRules buffers,
    TuningRules tuning,
    LaunchRules launch,
    SymmetricRules symmetric,
    RegistrationRules registration,
    Map<String, String> faults) {
  /** The name of the fault of a channel through a port that its node lacks. */
  public static final String ABSENT_PORT = "port-0";

  private static final Map<String, NcclProfile> LOADED = new ConcurrentHashMap<>();

  /** The default profile. */
  public static final NcclProfile DEFAULT = of("2.28.9");

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
    return of(version, entries(version));
  }

  /** A profile of these entries, for tests. */
  static NcclProfile of(String version, Map<String, String> entries) {
    RuleTable table = new RuleTable(version, entries);
    NcclProfile profile =
        new NcclProfile(
            version,
            NcclSettings.of(table.group("setting.")),
            new XmlRules(table),
            new TopologyRules(table),
            new LinkBandwidths(table),
            new PathRules(table),
            new SearchRules(table),
            new ConnectRules(table),
            new TransferRules(table),
            new BufferRules(table),
            new TuningRules(table),
            new LaunchRules(table),
            new SymmetricRules(table),
            new RegistrationRules(table),
            table.group("fault."));
    table.rejectUnread();
    return profile;
  }

  /** The entries that a version has, in order. */
  static Map<String, String> entries(String version) {
    return RuleTable.load(NcclProfile.class, version);
  }

  /**
   * Settings of the user, completed by the defaults of this version. Settings that the version does
   * not have are ignored.
   *
   * @throws dev.topo.model.job.SettingException for a value with which NCCL fails or its behaviour
   *     is undefined
   */
  public NcclSettings complete(NcclSettings settings) {
    if (settings.values().isEmpty()) {
      return settingDefaults;
    }
    NcclSettings existing = SettingVersions.existing(settings, this);
    SettingLimits.check(existing, buffers);
    return settingDefaults.with(existing);
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
