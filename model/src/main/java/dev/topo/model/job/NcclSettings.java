package dev.topo.model.job;

import dev.topo.model.Link.PathType;
import dev.topo.model.NicDistance;
import dev.topo.model.NicMerging;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingCatalog.NcclSetting;
import dev.topo.model.job.SettingCatalog.SettingScope;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The NCCL settings of a job. The constructor checks names and values. Settings that are not set
 * have NCCL's defaults.
 *
 * @param values names and values, by name
 */
public record NcclSettings(Map<String, String> values) {
  /** No setting: NCCL's defaults. */
  public static final NcclSettings DEFAULTS = new NcclSettings(Map.of());

  private static final Pattern LEADING_NUMBER =
      Pattern.compile("\\s*[+-]?(?:0[xX][0-9a-fA-F]+|[0-9]+)");

  private static final int HARM_COLUMNS = 5;

  /** The rows of {@code harmful.txt}: one for each harmful value of a setting. */
  private static final List<String[]> HARMS =
      ResourceTable.lines(NcclSettings.class, "harmful.txt").stream()
          .map(line -> line.split(" +", HARM_COLUMNS))
          .toList();

  private static final String MERGE_NICS = "NCCL_IB_MERGE_NICS";
  private static final String MERGE_LEVEL = "NCCL_NET_MERGE_LEVEL";
  private static final String FORCE_MERGE = "NCCL_NET_FORCE_MERGE";

  private static final String NETWORK = "NCCL_NET";
  private static final String IB_DISABLE = "NCCL_IB_DISABLE";

  /** The setting that lists the devices for InfiniBand and RoCE. */
  public static final String HCAS = "NCCL_IB_HCA";

  /** The settings that control the merging of ports. */
  public static final Set<String> MERGING = Set.of(MERGE_NICS, MERGE_LEVEL, FORCE_MERGE);

  /**
   * Old numbers of the level settings ({@code levelsOldToNew}, {@code nccl:src/graph/paths.cc}).
   */
  private static final List<PathType> OLD_LEVELS =
      List.of(PathType.LOC, PathType.PIX, PathType.PXB, PathType.PHB, PathType.SYS, PathType.SYS);

  /**
   * Checks names and values.
   *
   * @throws SettingException if a name is unknown or a value does not fit; the message says what
   *     was expected
   */
  public NcclSettings {
    values.forEach(NcclSettings::check);
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  public static NcclSettings of(Map<String, String> values) {
    return new NcclSettings(values);
  }

  /**
   * Settings from {@code NAME=VALUE} texts; later ones take precedence.
   *
   * @throws SettingException as {@link #NcclSettings}, and for a text without {@code =}
   */
  public static NcclSettings parse(List<String> assignments) {
    TreeMap<String, String> values = new TreeMap<>();
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals <= 0) {
        throw new SettingException(
            "setting '" + assignment + "': expected NAME=VALUE, as in NCCL_CROSS_NIC=1");
      }
      values.put(assignment.substring(0, equals), assignment.substring(equals + 1));
    }
    return of(values);
  }

  /** The settings of NCCL among the variables of a process; other variables are ignored. */
  public static NcclSettings ofEnvironment(Map<String, String> variables) {
    TreeMap<String, String> known = new TreeMap<>(variables);
    known.keySet().removeIf(name -> SettingCatalog.find(name).isEmpty());
    return of(known);
  }

  /**
   * The settings that make calls hang or corrupt data, each with a message about its effect. The
   * table {@code harmful.txt} has the rules and their sources.
   */
  public Map<String, String> harms() {
    Map<String, String> harms = new TreeMap<>();
    for (String[] columns : HARMS) {
      String name = columns[0];
      long value = longInteger(name, 0);
      long number = Long.parseLong(columns[2]);
      boolean isHarmful =
          columns[1].equals("multiple")
              ? value % number != 0
              : value > longInteger(columns[1], number) / Long.parseLong(columns[3]);
      if (isHarmful && values.containsKey(name)) {
        harms.putIfAbsent(name, "%s=%s: %s".formatted(name, value, columns[4]));
      }
    }
    return harms;
  }

  private static void check(String name, String value) {
    if (name.equals("CUDA_VISIBLE_DEVICES")) {
      throw new SpecException(
          SpecField.GPUS, " %s: takes the place of %s, which is no setting of NCCL", value, name);
    }
    NcclSetting setting =
        SettingCatalog.find(name).orElseThrow(() -> new SettingException(unknown(name)));
    boolean fits =
        switch (setting.kind()) {
          case INTEGER, INTEGER64 -> parseInteger(value).isPresent();
          case PATH_LEVEL -> parseLevel(value).isPresent();
          case TEXT -> true;
        };
    if (!fits) {
      throw new SettingException(
          "setting " + name + "=" + value + ": expected " + setting.expected());
    }
  }

  private static String unknown(String name) {
    List<String> similar = SettingCatalog.similarTo(name);
    return "setting '%s' is not one of NCCL 2.28.9%s"
        .formatted(
            name, similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?");
  }

  private static Optional<Long> parseInteger(String value) {
    try {
      return value.contains("#") ? Optional.empty() : Optional.of(Long.decode(value.strip()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The leading number of a text, as {@code strtoll} reads it. */
  private static Optional<Long> leadingInteger(String value) {
    Matcher number = LEADING_NUMBER.matcher(value);
    return number.lookingAt() ? parseInteger(number.group()) : Optional.empty();
  }

  /** A level by name or old number ({@code ncclGetLevel}, {@code nccl:src/graph/paths.cc}). */
  private static Optional<PathType> parseLevel(String value) {
    return Arrays.stream(PathType.values())
        .filter(type -> type.isWithin(PathType.SYS) && type.name().equals(value))
        .findFirst()
        .or(
            () ->
                parseInteger(value)
                    .filter(number -> number >= 0)
                    .map(number -> OLD_LEVELS.get((int) Math.min(number, OLD_LEVELS.size() - 1))));
  }

  /** These settings and {@code other}, whose values take precedence. */
  public NcclSettings with(NcclSettings other) {
    TreeMap<String, String> merged = new TreeMap<>(values);
    merged.putAll(other.values);
    return new NcclSettings(merged);
  }

  /** These settings without the given names. */
  public NcclSettings without(Collection<String> names) {
    TreeMap<String, String> remaining = new TreeMap<>(values);
    remaining.keySet().removeAll(names);
    return new NcclSettings(remaining);
  }

  /** The names of these settings that have one of the given scopes. */
  public List<String> names(Set<SettingScope> scopes) {
    return values.keySet().stream()
        .filter(name -> scopes.contains(SettingCatalog.find(name).orElseThrow().scope()))
        .toList();
  }

  /** The value of a setting as text, if set. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /**
   * The value of an integer setting, or {@code defaultValue}; values beyond 32 bits are truncated
   * as in NCCL. The rules of a release reject them earlier.
   */
  public int integer(String name, int defaultValue) {
    return (int) longInteger(name, defaultValue);
  }

  /** The value of an integer setting that NCCL does not truncate, or {@code defaultValue}. */
  public long longInteger(String name, long defaultValue) {
    String value = values.get(name);
    return value == null
        ? defaultValue
        : parseInteger(value).or(() -> leadingInteger(value)).orElse(0L);
  }

  private boolean flag(String name, boolean defaultValue) {
    return integer(name, defaultValue ? 1 : 0) != 0;
  }

  /**
   * The farthest path for direct traffic between GPUs, if the user sets it ({@code
   * ncclGetUserP2pLevel}).
   */
  public Optional<PathType> p2pLevel() {
    if (integer("NCCL_P2P_DISABLE", 0) == 1) {
      return Optional.of(PathType.LOC);
    }
    return text("NCCL_P2P_LEVEL").flatMap(NcclSettings::parseLevel);
  }

  /** True if GPUs of a node may exchange data through shared memory. */
  public boolean sharedMemory() {
    return integer("NCCL_SHM_DISABLE", 0) != 1;
  }

  /** The farthest path on which a NIC accesses GPU memory, if the user sets it. */
  public Optional<PathType> gdrLevel() {
    return text("NCCL_NET_GDR_LEVEL").flatMap(NcclSettings::parseLevel);
  }

  /** True if GPUDirect RDMA is used where the CPU reaches the GPU over C2C. */
  public boolean gdrOverC2c() {
    return flag("NCCL_NET_GDR_C2C", true);
  }

  /** True if GPUs of one node may use the network where that is faster. */
  public boolean networkInsideNode() {
    return integer("NCCL_NET_DISABLE_INTRA", 0) != 1;
  }

  /** True if NVLink paths may go through another GPU. */
  public boolean nvlinkThroughGpu() {
    return !flag("NCCL_NVB_DISABLE", false);
  }

  /** True if a GPU may reach a NIC through another GPU. */
  public boolean pxn() {
    return integer("NCCL_PXN_DISABLE", 0) != 1;
  }

  /** True if the intermediate GPU may reach the NIC over C2C. */
  public boolean pxnOverC2c() {
    return flag("NCCL_PXN_C2C", true);
  }

  /**
   * Whether rings and trees may leave a node by another NIC than the one by which they enter it: 0
   * never, 1 always, 2 if it is better.
   */
  public int crossNic() {
    return integer("NCCL_CROSS_NIC", 2);
  }

  /** Use of NVLink multicast: 0 never, 1 always, 2 where the GPUs support it. */
  public int nvlsEnable() {
    return integer("NCCL_NVLS_ENABLE", 2);
  }

  /** True if in-network reduction is requested. */
  public boolean collNet() {
    return integer("NCCL_COLLNET_ENABLE", 0) == 1;
  }

  /**
   * True if the GPUs of an NVLink domain of several hosts are assigned to NICs one GPU after the
   * other.
   */
  public boolean scatterNets() {
    return flag("NCCL_MNNVL_SCATTER_NETS_ENABLE", true);
  }

  /**
   * True if each host of an NVLink domain has its own rails, so that a channel may return to the
   * same port of another host.
   */
  public boolean railPerHost() {
    return flag("NCCL_MNNVL_RAIL_PER_HOST", false);
  }

  /**
   * How ports are merged into virtual devices; empty without merging. No file states whether NCCL's
   * network merges ports. It is assumed to if a merge setting is set, unless the settings select
   * sockets, which never merge.
   */
  public Optional<NicMerging> nicMerging() {
    boolean isStated = MERGING.stream().anyMatch(values::containsKey);
    return isStated && !usesSockets()
        ? Optional.of(
            new NicMerging(
                text(MERGE_LEVEL).map(NicDistance::parse).orElse(NicDistance.PORT),
                text(FORCE_MERGE),
                flag(MERGE_NICS, true)))
        : Optional.empty();
  }

  /**
   * True if the settings make NCCL's network TCP: NCCL_NET selects it, or InfiniBand and RoCE are
   * off ({@code nccl:src/plugin/net.cc}, {@code nccl:src/transport/net_ib.cc}).
   */
  public boolean usesSockets() {
    return text(NETWORK).filter("Socket"::equalsIgnoreCase).isPresent()
        || integer(IB_DISABLE, 0) != 0;
  }

  /** The list of devices for InfiniBand and RoCE; empty without one, or with another network. */
  public Optional<String> hcas() {
    boolean isUsed = !usesSockets() && text(NETWORK).map("IB"::equalsIgnoreCase).orElse(true);
    return text(HCAS).filter(list -> isUsed);
  }

  /** The rule for the number of NICs that a GPU uses. */
  public NetDevsPolicy netDevsPolicy() {
    return text("NCCL_NETDEVS_POLICY").map(NetDevsPolicy::parse).orElse(NetDevsPolicy.AUTO);
  }

  @Override
  public String toString() {
    return values.toString();
  }

  /**
   * How many of its nearest NICs a GPU uses ({@code NCCL_NETDEVS_POLICY}, {@code
   * nccl:src/graph/topo.cc}).
   *
   * @param kind the rule
   * @param max the number for {@link Kind#MAX}, else 0
   */
  public record NetDevsPolicy(Kind kind, int max) {
    /** The nearest NICs are divided among the GPUs nearest to them. */
    public static final NetDevsPolicy AUTO = new NetDevsPolicy(Kind.AUTO, 0);

    private static final String MAX_PREFIX = "MAX:";

    /** Rules for the number of NICs. */
    public enum Kind {
      /** Divided among the GPUs near them. */
      AUTO,
      /** All of them. */
      ALL,
      /** At most a given number. */
      MAX
    }

    /** Checks that the number fits the kind. */
    public NetDevsPolicy {
      if (kind == Kind.MAX ? max <= 0 : max != 0) {
        throw new IllegalArgumentException(
            "a number of NICs goes with MAX and only with it: " + kind + " " + max);
      }
    }

    /** Parses a value of the setting; {@link #AUTO} for an unknown value, as in NCCL. */
    static NetDevsPolicy parse(String value) {
      String upper = value.toUpperCase(Locale.ROOT);
      if (upper.equals("ALL")) {
        return new NetDevsPolicy(Kind.ALL, 0);
      }
      if (upper.startsWith(MAX_PREFIX)) {
        try {
          int max = Integer.parseInt(upper.substring(MAX_PREFIX.length()).strip());
          return max > 0 ? new NetDevsPolicy(Kind.MAX, max) : AUTO;
        } catch (NumberFormatException e) {
          return AUTO;
        }
      }
      return AUTO;
    }
  }
}
