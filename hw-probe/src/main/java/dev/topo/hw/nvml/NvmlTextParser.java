package dev.topo.hw.nvml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Parses the text that {@link NvmlText} writes. Single use. */
final class NvmlTextParser {
  /** Upper limit on links, so that a damaged file cannot exhaust the memory. */
  private static final int MAX_LINKS = 256;

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})(?:-([0-9]{1,4}))?");

  private final String text;
  private final SortedMap<Integer, NvmlDevice> devices = new TreeMap<>();
  private final List<NvmlSnapshot.Peer> peers = new ArrayList<>();
  private String driverVersion = "";
  private int cudaVersion;
  private int lineNumber;

  NvmlTextParser(String text) {
    this.text = text;
  }

  NvmlSnapshot parse() {
    for (String line : text.lines().toList()) {
      lineNumber++;
      String stripped = line.strip();
      if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        line(stripped.split("\\s+", -1));
      }
    }
    return new NvmlSnapshot(driverVersion, cudaVersion, List.copyOf(devices.values()), peers);
  }

  private void line(String[] words) {
    switch (words[0]) {
      case "driver" -> driverVersion = word(words, 1);
      case "cuda" -> cudaVersion = number(word(words, 1));
      case "gpu" -> gpu(words);
      case "nvlink" -> nvlinks(words);
      case "c2c" -> c2cLinks(words);
      case "peer" -> {
        Map<String, String> values = values(words, 3);
        peers.add(
            new NvmlSnapshot.Peer(
                number(word(words, 1)),
                number(word(words, 2)),
                bit(values, "read"),
                bit(values, "write")));
      }
      default -> throw error("'" + words[0] + "'", "driver, cuda, gpu, nvlink, c2c or peer");
    }
  }

  private void gpu(String[] words) {
    int index = number(word(words, 1));
    Map<String, String> values = values(words, 2);
    devices.put(
        index,
        new NvmlDevice(
            index,
            value(values, "bus"),
            values.getOrDefault("uuid", ""),
            number(value(values, "sm")),
            capability(values, "gdr"),
            capability(values, "dmabuf"),
            bit(values, "mig"),
            List.of(),
            List.of()));
  }

  private void nvlinks(String[] words) {
    NvmlDevice device = device(words);
    Map<String, String> values = values(words, 3);
    List<NvmlDevice.Nvlink> links = new ArrayList<>(device.nvlinks());
    range(word(words, 2))
        .mapToObj(
            number ->
                new NvmlDevice.Nvlink(
                    number,
                    bit(values, "p2p"),
                    bit(values, "active"),
                    Optional.ofNullable(values.get("remote"))))
        .forEach(links::add);
    devices.put(device.index(), withLinks(device, links, device.c2cLinks()));
  }

  private void c2cLinks(String[] words) {
    NvmlDevice device = device(words);
    Map<String, String> values = values(words, 3);
    List<NvmlDevice.C2cLink> links = new ArrayList<>(device.c2cLinks());
    boolean active = bit(values, "active");
    int bwMBps = number(value(values, "bw"));
    range(word(words, 2))
        .forEach(number -> links.add(new NvmlDevice.C2cLink(number, active, bwMBps)));
    devices.put(device.index(), withLinks(device, device.nvlinks(), links));
  }

  private static NvmlDevice withLinks(
      NvmlDevice device, List<NvmlDevice.Nvlink> nvlinks, List<NvmlDevice.C2cLink> c2cLinks) {
    return new NvmlDevice(
        device.index(),
        device.busId(),
        device.uuid(),
        device.sm(),
        device.gpuDirectRdma(),
        device.dmaBuf(),
        device.mig(),
        nvlinks,
        c2cLinks);
  }

  private NvmlDevice device(String[] words) {
    NvmlDevice device = devices.get(number(word(words, 1)));
    if (device == null) {
      throw error("link of GPU " + words[1], "a line 'gpu " + words[1] + " …' before it");
    }
    return device;
  }

  private IntStream range(String word) {
    Matcher range = RANGE.matcher(word);
    if (!range.matches()) {
      throw error("'" + word + "'", "a number or a range such as 0-17");
    }
    int first = Integer.parseInt(range.group(1));
    int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
    if (last >= MAX_LINKS || last < first) {
      throw error("'" + word + "'", "numbers below " + MAX_LINKS + ", the lower one first");
    }
    return IntStream.rangeClosed(first, last);
  }

  private Map<String, String> values(String[] words, int from) {
    Map<String, String> values = new HashMap<>();
    for (int i = from; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals <= 0) {
        throw error("'" + words[i] + "'", "name=value");
      }
      values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
    }
    return values;
  }

  private String value(Map<String, String> values, String name) {
    String value = values.get(name);
    if (value == null) {
      throw error("no " + name, name + "=…");
    }
    return value;
  }

  private boolean bit(Map<String, String> values, String name) {
    return values.getOrDefault(name, "0").equals("1");
  }

  private Capability capability(Map<String, String> values, String name) {
    String word = values.getOrDefault(name, "unknown");
    return NvmlText.capability(word)
        .orElseThrow(() -> error(name + "=" + word, "yes, no or unknown"));
  }

  private String word(String[] words, int index) {
    if (index >= words.length) {
      throw error("'" + String.join(" ", words) + "'", "more words");
    }
    return words[index];
  }

  private int number(String word) {
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException e) {
      throw error("'" + word + "'", "a whole number");
    }
  }

  private IllegalArgumentException error(String found, String expected) {
    return new IllegalArgumentException(
        "nvml.txt:" + lineNumber + ": " + found + ", expected " + expected);
  }
}
