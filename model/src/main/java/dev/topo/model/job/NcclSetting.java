package dev.topo.model.job;

/**
 * A setting that NCCL reads from its environment.
 *
 * @param name the variable, {@code NCCL_CROSS_NIC}
 * @param kind what its value must look like
 * @param scope what it has an influence on
 * @param expected what its value means, for messages
 */
public record NcclSetting(String name, Kind kind, SettingScope scope, String expected) {
  /** The form of a value. */
  public enum Kind {
    /** A whole number, decimal, octal or hexadecimal as C's {@code strtoll} reads it. */
    INTEGER,
    /** An integer of which NCCL keeps all 64 bits; of others it keeps 32. */
    INTEGER64,
    /** A path type by name, or 0 to 5 in NCCL's old numbering. */
    PATH_LEVEL,
    /** Any text. */
    TEXT
  }
}
