package dev.topo.simulator.network;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.CalibrationFile.ShippedCalibrations;
import dev.topo.simulator.calibration.NamedValue;
import dev.topo.simulator.calibration.NamedValue.FittedConstant;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Calibrations of networks as text: a line {@code name = value} for the name, the origin and each
 * constant in its unit; {@code #} begins a comment. Includes the calibrations shipped with topo.
 */
public final class NetworkFile {
  /** Names of the shipped calibrations. */
  public static final List<String> SHIPPED = NetworkKind.labels();

  private static final Set<String> HEADER = Set.of("name", "origin");

  /** Start of the lines with ranges of files written by topo 0.2, which hold no more. */
  private static final String FORMER_RANGE = "spread";

  /** Constant of files written by topo 0.1: the hop time of LL and LL128 relative to Simple. */
  private static final String STEP_FLAGGED = "step.flagged";

  /** Constant of earlier builds, since replaced by {@link #REPLACES_MESSAGE}. */
  private static final String MESSAGE = "message";

  /** Constants that replace {@link #MESSAGE}. */
  private static final Set<NetworkConstant> REPLACES_MESSAGE =
      EnumSet.of(NetworkConstant.COPY_LL, NetworkConstant.REUSE);

  /**
   * Constants of the receivers. Files of earlier builds lack them; their hop times include the work
   * of receivers.
   */
  private static final Set<NetworkConstant> RECEIVER_CONSTANTS =
      EnumSet.of(NetworkConstant.FLUSH, NetworkConstant.MATCH, NetworkConstant.ASK);

  /** Value of a constant that adds no noticeable time. */
  private static final double NEGLIGIBLE = 0.01;

  /** Constants missing from files written by topo 0.1. */
  private static final Set<NetworkConstant> SINCE_0_2 =
      EnumSet.of(
          NetworkConstant.STEP_LL,
          NetworkConstant.STEP_LL128,
          NetworkConstant.COPY_LL,
          NetworkConstant.REUSE,
          NetworkConstant.EAGER,
          NetworkConstant.HOP_EAGER,
          NetworkConstant.PEERS_FIRST);

  private static final ShippedCalibrations<NetworkCalibration> FILES =
      new ShippedCalibrations<>(NetworkFile.class, SHIPPED, NetworkFile::read);

  private NetworkFile() {}

  /** The shipped calibration with a name; empty if there is none. */
  public static Optional<NetworkCalibration> shipped(String name) {
    return FILES.find(name);
  }

  /** All shipped calibrations. */
  public static List<NetworkCalibration> shipped() {
    return FILES.all();
  }

  /**
   * The shipped calibration with a name, or else the calibration in a file.
   *
   * @param name name of a shipped calibration, or the file as the user wrote it
   * @throws IllegalArgumentException if neither a shipped calibration nor the file exists
   * @throws TopologyFormatException as {@link #read}
   */
  public static NetworkCalibration named(String name, Path file, Inputs inputs) {
    Optional<NetworkCalibration> shipped = shipped(name);
    if (shipped.isEmpty() && !Files.exists(file)) {
      throw new IllegalArgumentException(
          "%s: expected a file or one of %s".formatted(name, String.join(", ", SHIPPED)));
    }
    return shipped.orElseGet(() -> read(inputs.text(file, "a calibration of a network"), name));
  }

  /** True if a calibration equals the shipped one of its name. */
  public static boolean isShipped(NetworkCalibration calibration) {
    return shipped(calibration.name()).equals(Optional.of(calibration));
  }

  /**
   * Parses a calibration.
   *
   * @param file name of the file for error messages
   * @throws TopologyFormatException if a line is malformed or a value is missing
   */
  public static NetworkCalibration read(String text, String file) {
    Map<String, NamedValue> lines = NamedValue.read(text, file);
    Map<NetworkConstant, Double> values = new EnumMap<>(NetworkConstant.class);
    for (NetworkConstant constant : NetworkConstant.values()) {
      values.put(constant, value(constant, lines, file));
    }
    for (NamedValue line : lines.values()) {
      if (!HEADER.contains(line.name())
          && !line.name().equals(STEP_FLAGGED)
          && !line.name().equals(MESSAGE)
          && !line.name().startsWith(FORMER_RANGE)
          && NetworkConstant.ofLabel(line.name()).isEmpty()) {
        throw line.wrong("no constant is called " + line.name());
      }
    }
    return new NetworkCalibration(
        NamedValue.required(lines, "name", file, "the name is missing").value(),
        NamedValue.required(lines, "origin", file, "the origin is missing").value(),
        values);
  }

  /**
   * Value of a constant in a file. Files of topo 0.1 have one factor for the hops of LL and LL128.
   * Other constants that older files lack get their typical value, or a negligible one if the hop
   * times of such files include them.
   */
  private static double value(
      NetworkConstant constant, Map<String, NamedValue> lines, String file) {
    NamedValue line = lines.get(constant.label());
    if (line != null) {
      return number(constant, line);
    }
    if (lines.containsKey(MESSAGE) && REPLACES_MESSAGE.contains(constant)) {
      return constant.typical();
    }
    if (RECEIVER_CONSTANTS.contains(constant)) {
      return NEGLIGIBLE;
    }
    NamedValue flagged = lines.get(STEP_FLAGGED);
    if (flagged != null && SINCE_0_2.contains(constant)) {
      boolean isHop = constant == NetworkConstant.STEP_LL || constant == NetworkConstant.STEP_LL128;
      return isHop
          ? flagged.number() * value(NetworkConstant.STEP, lines, file)
          : constant.typical();
    }
    return number(
        constant,
        NamedValue.required(
            lines, constant.label(), file, "the constant " + constant.label() + " is missing"));
  }

  private static double number(NetworkConstant constant, NamedValue line) {
    double number = line.number();
    if (constant.isShare() && number > 1) {
      throw line.expected("a number above 0, up to 1");
    }
    return number;
  }

  /** The text of a calibration file, with four digits of each constant. */
  public static String write(NetworkCalibration calibration) {
    StringBuilder text =
        new StringBuilder(
            "name = %s\norigin = %s\n".formatted(calibration.name(), calibration.origin()));
    return text.append('\n').append(FittedConstant.lines(calibration.values())).toString();
  }

  /**
   * Operations with published times between nodes, by shipped calibration. The error of predictions
   * is known only for these operations, and up to the published number of nodes (docs/accuracy.md).
   */
  public static final class PublishedOperations {
    private static final String FILE = "published-operations.properties";

    /** Suffix of a network's name in the line with its largest number of nodes. */
    private static final String NODES = ".nodes";

    private static final Map<String, NamedValue> LINES =
        NamedValue.read(ResourceTable.text(PublishedOperations.class, FILE), FILE);

    private static final Map<String, Set<Operation>> TABLE =
        LINES.values().stream()
            .filter(line -> !line.name().endsWith(NODES))
            .collect(
                Collectors.toUnmodifiableMap(NamedValue::name, PublishedOperations::operations));

    private PublishedOperations() {}

    /** Operations published for a network; empty if the network is unknown. */
    public static Set<Operation> of(String network) {
      return TABLE.getOrDefault(network, Set.of());
    }

    /** True if there are published times for a network. */
    public static boolean isKnown(String network) {
      return TABLE.containsKey(network);
    }

    /** Nodes of the largest published job on a network; 0 if the network is unknown. */
    public static int mostNodes(String network) {
      NamedValue line = LINES.get(network + NODES);
      return line == null ? 0 : (int) line.number();
    }

    private static Set<Operation> operations(NamedValue line) {
      return Arrays.stream(line.value().split(" "))
          .map(name -> Operation.ofName(name).orElseThrow(() -> line.expected("operations")))
          .collect(Collectors.toUnmodifiableSet());
    }
  }
}
