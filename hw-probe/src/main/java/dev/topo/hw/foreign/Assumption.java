package dev.topo.hw.foreign;

import dev.topo.hw.foreign.GpuModel.NvlinkWiring;
import dev.topo.model.CpuPreset;
import dev.topo.model.job.SettingException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Assumed devices of a machine, which its topology file does not list.
 *
 * @param nvswitches number of NVSwitches that NVML shows at the GPU's links: 1 if a virtual machine
 *     hides them
 * @param netMbps speed of a port of its network cards in Mb/s; empty if no card is to be used
 * @param nicName prefix of port names, before the number
 * @param gdr whether network cards may access GPU memory; empty for the default of the GPU
 * @param gpus number of GPUs to use, by bus id
 * @param nics number of network cards to use, by bus id
 * @param cpu the CPU model, if the file has none
 */
public record Assumption(
    GpuModel gpu,
    NvlinkWiring wiring,
    int nvswitches,
    OptionalInt netMbps,
    String nicName,
    int ports,
    Optional<Boolean> gdr,
    int gpus,
    int nics,
    Optional<CpuPreset> cpu) {
  private static final List<String> KEYS =
      List.of("gpu", "nvlink", "nvswitches", "net", "nic", "ports", "gdr", "gpus", "nics", "cpu");

  /** Keys that need {@code net}. */
  private static final List<String> PORT_KEYS = List.of("nic", "ports", "nics");

  /** Prefix of the device names that the ConnectX driver assigns. */
  static final String USUAL_NAME = "mlx5_";

  /** Name of a device; NCCL keeps it in 128 bytes, and no driver assigns long ones. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,31}");

  private static final int MAX_PORTS = 4;

  /** Maximum number of NVSwitches: each has at least one of a GPU's 18 links. */
  private static final int MAX_NVSWITCHES = 18;

  private static final int MAX_DEVICES = 256;

  /** Ten times the fastest port of 2026. */
  private static final int MAX_MBPS = 8_000_000;

  /** Minimum port speed in Mb/s; a lower number is probably meant in Gb/s. */
  private static final int MIN_MBPS = 1_000;

  /**
   * Parses an assumption: {@code gpu=h100,nvlink=nvswitch,net=400000}.
   *
   * @throws SettingException if a key or a value is unknown, with what was expected
   */
  public static Assumption parse(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part : part.substring(0, equals);
      if (equals < 0 || !KEYS.contains(key)) {
        throw new SettingException(
            "'" + part + "': expected KEY=VALUE with one of " + String.join(", ", KEYS));
      }
      if (values.put(key, part.substring(equals + 1)) != null) {
        throw new SettingException(key + " is named twice");
      }
    }
    return of(values);
  }

  /**
   * Model name in an assumption for a product name of NVIDIA: {@code a100} for {@code NVIDIA
   * A100-SXM4-80GB}; empty if unknown.
   */
  static Optional<String> modelOf(String product) {
    return GpuModel.ofProduct(product).map(model -> model.name().toLowerCase(Locale.ROOT));
  }

  /** Maximum number of NVLinks of the GPU in any product. */
  int maxLinks() {
    return Math.max(gpu.switchLinks(), gpu.bridgeLinks());
  }

  private static Assumption of(Map<String, String> values) {
    GpuModel gpu =
        known("gpu", values.getOrDefault("gpu", ""), GpuModel::ofWord, GpuModel.labels());
    NvlinkWiring wiring = wiring(gpu, values);
    for (String key : PORT_KEYS) {
      requireEffect(values, key, values.containsKey("net"), "net=SPEED");
    }
    requireEffect(values, "nvswitches", wiring == NvlinkWiring.NVSWITCH, "nvlink=nvswitch");
    return new Assumption(
        gpu,
        wiring,
        number(values, "nvswitches", 1, 1, MAX_NVSWITCHES),
        values.containsKey("net")
            ? OptionalInt.of(speed(values.getOrDefault("net", "")))
            : OptionalInt.empty(),
        name(values.getOrDefault("nic", USUAL_NAME)),
        number(values, "ports", 1, 1, MAX_PORTS),
        values.containsKey("gdr")
            ? Optional.of(number(values, "gdr", 1, 0, 1) == 1)
            : Optional.empty(),
        number(values, "gpus", MAX_DEVICES, 1, MAX_DEVICES),
        number(values, "nics", MAX_DEVICES, 0, MAX_DEVICES),
        cpu(values));
  }

  /** Rejects a key that has no effect without another one: it is probably a mistake. */
  private static void requireEffect(
      Map<String, String> values, String key, boolean hasEffect, String needed) {
    if (values.containsKey(key) && !hasEffect) {
      throw new SettingException(
          key + "=" + values.get(key) + ": changes nothing without " + needed);
    }
  }

  private static NvlinkWiring wiring(GpuModel gpu, Map<String, String> values) {
    String word = values.getOrDefault("nvlink", gpu.usualWiring().word());
    NvlinkWiring wiring = known("nvlink", word, NvlinkWiring::ofWord, NvlinkWiring.labels());
    if (wiring != NvlinkWiring.NONE && gpu.links(wiring) == 0) {
      throw new SettingException(
          "nvlink=" + word + ": a " + gpu + " has none such, expected nvlink=none");
    }
    return wiring;
  }

  private static int speed(String text) {
    int speed = integer(text);
    if (speed < MIN_MBPS || speed > MAX_MBPS) {
      throw new SettingException(
          "net=" + text + ": expected the speed of a port in Mbit/s, as 400000 for 400 Gb/s");
    }
    return speed;
  }

  private static String name(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new SettingException(
          "nic=" + text + ": expected the beginning of a device's name, as mlx5_");
    }
    return text;
  }

  private static Optional<CpuPreset> cpu(Map<String, String> values) {
    return Optional.ofNullable(values.get("cpu"))
        .map(word -> known("cpu", word, CpuPreset::ofWord, CpuPreset.names()));
  }

  private static <T> T known(
      String key, String word, Function<String, Optional<T>> find, String words) {
    return find.apply(word)
        .orElseThrow(() -> new SettingException(key + "=" + word + ": expected one of " + words));
  }

  private static int number(
      Map<String, String> values, String key, int defaultValue, int min, int max) {
    String text = values.get(key);
    if (text == null) {
      return defaultValue;
    }
    int number = integer(text);
    if (number < min || number > max) {
      throw new SettingException(
          key + "=" + text + ": expected a number from " + min + " to " + max);
    }
    return number;
  }

  private static int integer(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
