package dev.topo.probe.capture;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Removes what identifies a machine from a capture: GUIDs, UUIDs and hardware addresses are
 * replaced consistently, numbered in order of occurrence. Stateful; one for a capture.
 */
final class Anonymizer {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  /** An interface that systemd named after its hardware address. */
  private static final Pattern NAMED_AFTER_ADDRESS = Pattern.compile("enx([0-9a-fA-F]{12})");

  private static final Pattern NUMERIC_RELEASE = Pattern.compile("[0-9]+(?:\\.[0-9]+)*");
  private static final Pattern XML_NUMBER = Pattern.compile("(guid|host_hash)=\"[^\"]*\"");

  /** The lines of /proc/cpuinfo that identify the CPU model. */
  private static final Pattern CPU_LINE =
      Pattern.compile(
          "\\s*(?:processor|vendor_id|cpu family|model|model name|CPU implementer|CPU architecture"
              + "|CPU variant|CPU part|cpu)\\s*:.*");

  private final Map<String, String> invented = new HashMap<>();

  /** A path or a list of interfaces, without anything that identifies the machine. */
  String text(String text) {
    String withoutUuids =
        replace(UUID, text, n -> String.format(Locale.ROOT, "00000000-0000-0000-0000-%012x", n));
    return replace(
        NAMED_AFTER_ADDRESS, withoutUuids, n -> String.format(Locale.ROOT, "enx02%010x", n));
  }

  /** The content of a file, without anything that identifies the machine. */
  String content(String path, String content) {
    if (path.endsWith("_guid")) {
      return replace(Pattern.compile(".+"), content, Anonymizer::guid);
    }
    if (path.equals("/proc/cpuinfo")) {
      return cpuinfo(content);
    }
    if (path.equals("/proc/sys/kernel/osrelease")) {
      Matcher release = NUMERIC_RELEASE.matcher(content);
      return (release.lookingAt() ? release.group() : "") + "\n";
    }
    if (path.endsWith(".xml")) {
      return XML_NUMBER.matcher(content).replaceAll("$1=\"0x1\"");
    }
    return text(content);
  }

  private String replace(Pattern pattern, String text, IntFunction<String> invention) {
    return pattern
        .matcher(text)
        .replaceAll(
            found ->
                invented.computeIfAbsent(
                    found.group(), key -> invention.apply(invented.size() + 1)));
  }

  private static String guid(int number) {
    return String.format(
        Locale.ROOT, "0200:0000:%04x:%04x", (number >>> 16) & 0xffff, number & 0xffff);
  }

  /** The identifying lines of the first processor. */
  private static String cpuinfo(String content) {
    return content
            .lines()
            .takeWhile(line -> !line.isBlank())
            .filter(line -> CPU_LINE.matcher(line).matches())
            .collect(Collectors.joining("\n"))
        + "\n\n";
  }
}
