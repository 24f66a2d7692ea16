package dev.topo.search.rules;

import dev.topo.model.settings.NcclSettings;
import java.util.List;
import java.util.Map;

/**
 * The rules of one NCCL version: all numbers, tables and defaults that differ between versions.
 * They come from a resource {@code VERSION.rules} of this package, which names the origin of each.
 * A profile is chosen once for a job and passed on from the reader of the topology file to the
 * tuner; nothing else knows a version. Immutable.
 */
public final class NcclProfile {
  /** The profile that is used where none is chosen. */
  public static final NcclProfile DEFAULT = of("2.28.9");

  private final String version;
  private final NcclSettings settingDefaults;
  private final XmlRules xml;
  private final LinkBandwidths links;
  private final PathRules paths;
  private final SearchRules search;
  private final ConnectRules connect;
  private final BufferRules buffers;
  private final TuningRules tuning;
  private final LaunchRules launch;

  private NcclProfile(String version, RuleTable table) {
    this.version = version;
    this.settingDefaults = NcclSettings.of(settings(table));
    this.xml = new XmlRules(table);
    this.links = new LinkBandwidths(table);
    this.paths = new PathRules(table);
    this.search = new SearchRules(table);
    this.connect = new ConnectRules(table);
    this.buffers = new BufferRules(table);
    this.tuning = new TuningRules(table);
    this.launch = new LaunchRules(table);
    table.rejectUnread();
  }

  private static Map<String, String> settings(RuleTable table) {
    return table.group("setting.");
  }

  /** The versions that have a profile. */
  public static List<String> versions() {
    return List.of("2.28.9");
  }

  /**
   * The profile of a version.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static NcclProfile of(String version) {
    if (!versions().contains(version)) {
      throw new IllegalArgumentException("NCCL " + version + ": expected one of " + versions());
    }
    return of(version, entries(version));
  }

  /** A profile of these entries, for tests. */
  static NcclProfile of(String version, Map<String, String> entries) {
    return new NcclProfile(version, new RuleTable(version, entries));
  }

  /** The entries of the rule file of a version, in order. */
  static Map<String, String> entries(String version) {
    return RuleTable.load(version + ".rules");
  }

  /** The version, as NCCL writes it. */
  public String version() {
    return version;
  }

  /** Settings of the user, completed by the defaults of this version. */
  public NcclSettings complete(NcclSettings settings) {
    return settingDefaults.with(settings);
  }

  /** Limits of files and topologies. */
  public XmlRules xml() {
    return xml;
  }

  public LinkBandwidths links() {
    return links;
  }

  public PathRules paths() {
    return paths;
  }

  /** Rules of the channel search. */
  public SearchRules search() {
    return search;
  }

  /** Rules of connecting nodes, and of channels for sends and receives. */
  public ConnectRules connect() {
    return connect;
  }

  /** Sizes of buffers. */
  public BufferRules buffers() {
    return buffers;
  }

  /** Constants of the tuning model. */
  public TuningRules tuning() {
    return tuning;
  }

  /** Rules of threads and channels of a call. */
  public LaunchRules launch() {
    return launch;
  }

  @Override
  public String toString() {
    return version;
  }
}
