package dev.topo.inspect.guest;

import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.InputText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the PCI devices visible to a virtual machine: the text of {@code lspci -Dn}, {@code lspci
 * -Dnn} or {@code lspci -D}, lines of bus id, class, vendor and device as in sysfs, or a topology
 * that was dumped there.
 */
public final class GuestDevicesReader {
  private static final String BUS_ID =
      "((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7])";

  /** {@code 0000:05:00.0 0302: 10de:2330 (rev a1)}. */
  private static final Pattern NUMBERS =
      Pattern.compile(BUS_ID + " ([0-9a-f]{4}): ([0-9a-f]{4}):([0-9a-f]{4})\\b.*");

  /** {@code 0000:05:00.0 3D controller [0302]: NVIDIA Corporation GH100 [10de:2330] (rev a1)}. */
  private static final Pattern BOTH =
      Pattern.compile(
          BUS_ID + " [^\\[]*\\[([0-9a-f]{4})\\]: .*\\[([0-9a-f]{4}):([0-9a-f]{4})\\].*");

  /** {@code 0000:05:00.0 0x030200 0x10de 0x2330}. */
  private static final Pattern SYSFS =
      Pattern.compile(
          BUS_ID + "\\s+0x([0-9a-f]{4})[0-9a-f]{2}\\s+0x([0-9a-f]{4})\\s+0x([0-9a-f]{4})\\s*");

  /** {@code 0000:05:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)}. */
  private static final Pattern WORDS = Pattern.compile(BUS_ID + " ([A-Za-z0-9/() -]+): (.*)");

  /** A line of {@code ls}, with or without {@code -l}. */
  private static final Pattern BARE =
      Pattern.compile("(?:l[rwx]{9}.*\\s)?" + BUS_ID + "(?:\\s+->\\s.*)?\\s*");

  /** Names of classes as lspci prints them (pci-ids.ucw.cz). */
  private static final Map<String, String> CLASSES =
      Map.of(
          "3D controller", "0302",
          "VGA compatible controller", "0300",
          "Display controller", "0380",
          "Infiniband controller", "0207",
          "InfiniBand controller", "0207",
          "Ethernet controller", "0200",
          "Network controller", "0280",
          "PCI bridge", "0604");

  private GuestDevicesReader() {}

  /**
   * Reads the devices of a virtual machine.
   *
   * @param file its name
   * @throws TopologyFormatException if the format is unknown
   */
  public static GuestDevices read(byte[] content, String file) {
    String text = InputText.printed(content);
    if (text.stripLeading().startsWith("<")) {
      XmlElement root = new XmlReader().read(content, file).root();
      if (!root.name().equals("system")) {
        throw new TopologyFormatException(
            root.location(), "<" + root.name() + ">: expected the dump of a topology, <system>");
      }
      return new GuestDevices(file, PciTree.functions(root), Optional.of(root));
    }
    List<PciFunction> functions = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      // lspci -v continues the description of a device in lines that begin with a tab.
      if (line.isBlank() || line.startsWith("#") || Character.isWhitespace(line.charAt(0))) {
        continue;
      }
      Optional<PciFunction> function = function(line);
      if (function.isEmpty()) {
        throw new TopologyFormatException(
            new SourceLocation(file, number, 1),
            "'"
                + line
                + "': expected a line of lspci -Dn, as 0000:05:00.0 0302: 10de:2330 (rev a1)");
      }
      Integer first = lines.putIfAbsent(function.get().busId(), number);
      if (first != null) {
        throw new TopologyFormatException(
            new SourceLocation(file, number, 1),
            "PCI device %s: is also in line %s, expected each once"
                .formatted(function.get().busId(), first));
      }
      functions.add(function.get());
    }
    if (functions.isEmpty()) {
      throw new TopologyFormatException(
          file, "names no PCI device, expected the text of lspci -Dn");
    }
    return new GuestDevices(file, functions, Optional.empty());
  }

  private static Optional<PciFunction> function(String line) {
    for (Pattern pattern : List.of(NUMBERS, BOTH, SYSFS)) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.matches()) {
        String vendor = matcher.group(3);
        Kind kind = PciTree.kind("0x" + matcher.group(2) + "00", vendor);
        return Optional.of(function(matcher, kind, vendor, matcher.group(4)));
      }
    }
    Matcher words = WORDS.matcher(line);
    if (words.matches()) {
      return Optional.of(function(words, kind(words.group(2), words.group(3)), "", ""));
    }
    Matcher bare = BARE.matcher(line);
    return bare.matches() ? Optional.of(function(bare, Kind.UNKNOWN, "", "")) : Optional.empty();
  }

  private static PciFunction function(Matcher line, Kind kind, String vendor, String device) {
    return new PciFunction(PciTree.normal(line.group(1)), kind, vendor, device);
  }

  private static Kind kind(String className, String description) {
    Kind kind = PciTree.kind("0x" + CLASSES.getOrDefault(className, "ffff") + "00", "");
    String lower = description.toLowerCase(Locale.ROOT);
    boolean isOther =
        (kind == Kind.GPU && !lower.contains("nvidia"))
            || (kind == Kind.NIC && (lower.contains("virtio") || lower.contains("red hat")));
    return isOther ? Kind.OTHER : kind;
  }
}
