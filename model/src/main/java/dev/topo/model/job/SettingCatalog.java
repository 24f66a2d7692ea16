package dev.topo.model.job;

import dev.topo.model.SimilarNames;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.job.SettingCatalog.NcclSetting.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings that NCCL reads: every name in an {@code NCCL_PARAM} or {@code ncclGetEnv} of its
 * source. The table is the resource {@code settings.txt}.
 */
public final class SettingCatalog {
  private static final int COLUMNS = 4;
  private static final Map<String, NcclSetting> BY_NAME = read();

  private SettingCatalog() {}

  private static Map<String, NcclSetting> read() {
    Map<String, NcclSetting> byName = new TreeMap<>();
    for (String line : ResourceTable.lines(SettingCatalog.class, "settings.txt")) {
      String[] columns = line.split(" +", COLUMNS);
      Kind kind = Kind.valueOf(columns[1].toUpperCase(Locale.ROOT));
      SettingScope scope = SettingScope.valueOf(columns[2].toUpperCase(Locale.ROOT));
      byName.put(columns[0], new NcclSetting(columns[0], kind, scope, columns[3]));
    }
    return byName;
  }

  /** All settings, by name. */
  public static Collection<NcclSetting> all() {
    return List.copyOf(BY_NAME.values());
  }

  public static Optional<NcclSetting> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The names of up to three settings closest to a misspelled name; empty if none is close. */
  public static List<String> similarTo(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return SimilarNames.of(BY_NAME.keySet(), upper.startsWith("NCCL_") ? upper : "NCCL_" + upper);
  }

  /**
   * A setting that NCCL reads from its environment.
   *
   * @param name the variable, {@code NCCL_CROSS_NIC}
   * @param kind form of its value
   * @param scope the part of NCCL that it influences
   * @param expected meaning of its value, for messages
   */
  public record NcclSetting(String name, Kind kind, SettingScope scope, String expected) {
    /** The form of a value. */
    public enum Kind {
      /** A whole number, decimal, octal or hexadecimal as C's {@code strtoll} reads it. */
      INTEGER,
      /** An integer of which NCCL keeps all 64 bits; others are truncated to 32. */
      INTEGER64,
      /** A path type by name, or 0 to 5 in NCCL's old numbering. */
      PATH_LEVEL,
      /** Any text. */
      TEXT
    }
  }

  /** The part of NCCL that a setting influences, as far as this project models it. */
  public enum SettingScope {
    /** Which devices of a real machine NCCL detects. */
    MACHINE,
    /** Paths between nodes: which links NCCL is willing to use. */
    PATHS,
    /** The search for channels on one node. */
    SEARCH,
    /** How the channels of the nodes are joined and how many of them are used. */
    CONNECT,
    /** The choice of algorithm and protocol. */
    TUNING,
    /** The ids of NVLink domains and of their parts, which a request states otherwise. */
    NVLINK_DOMAIN,
    /** The launch of calls on registered buffers and windows. */
    BUFFERS,
    /** How data crosses the network: not modelled. */
    TRANSPORT,
    /** Other settings that affect NCCL but are not modelled. */
    NOT_MODELLED,
    /** No effect on a job's channels, choices and times: logging, dumps, start-up. */
    NO_INFLUENCE;

    /** True if such a setting changes the results for a job. */
    public boolean isModelled() {
      return this == PATHS || this == SEARCH || this == CONNECT || this == TUNING;
    }
  }
}
