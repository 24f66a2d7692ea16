package dev.topo.probe.sysfs;

import java.util.List;

/**
 * Receives the accesses to a {@link SysfsRoot}. Paths begin with {@code /sys}, {@code /proc} or
 * {@code /dev}.
 */
public interface AccessLog {
  /** Ignores all accesses. */
  AccessLog NONE = new AccessLog() {};

  /** A file was read. */
  default void read(String path, String content) {}

  /** A directory was listed. */
  default void listed(String directory, List<String> names) {}

  /** A path was found to be, all links followed, another one. */
  default void resolved(String path, String realPath) {}
}
