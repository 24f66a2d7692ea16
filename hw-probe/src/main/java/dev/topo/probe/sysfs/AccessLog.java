package dev.topo.probe.sysfs;

import java.util.List;

/**
 * Hears what is read below a {@link SysfsRoot}. Paths begin with {@code /sys}, {@code /proc} or
 * {@code /dev}.
 */
public interface AccessLog {
  /** Hears nothing. */
  AccessLog NONE =
      new AccessLog() {
        @Override
        public void read(String path, String content) {}

        @Override
        public void listed(String directory, List<String> names) {}

        @Override
        public void resolved(String path, String realPath) {}
      };

  /** A file was read. */
  void read(String path, String content);

  /** A directory was listed. */
  void listed(String directory, List<String> names);

  /** A path was found to be, all links followed, another one. */
  void resolved(String path, String realPath);
}
