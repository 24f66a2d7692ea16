package dev.topo.simulator.network;

import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The constants of a kind of network and where they come from.
 *
 * @param name short name, as in {@code slingshot}
 * @param origin on which clusters they were measured, by whom, with which NCCL
 * @param spread how far its times are off; empty where that is known otherwise or not
 * @param values every constant, above 0
 */
public record NetworkCalibration(
    String name,
    String origin,
    Optional<NetworkSpread> spread,
    Map<NetworkConstant, Double> values) {
  public NetworkCalibration {
    values = MeasuredConstant.complete(NetworkConstant.class, values, "network " + name + ": ");
  }

  /** The values from which a fit starts. */
  public static NetworkCalibration typical() {
    return new NetworkCalibration(
        "typical",
        "typical values, not measured",
        Optional.empty(),
        Arrays.stream(NetworkConstant.values())
            .collect(Collectors.toMap(c -> c, NetworkConstant::typical)));
  }

  /** A constant in its unit. */
  public double value(NetworkConstant constant) {
    return Objects.requireNonNull(values.get(constant));
  }

  public NetworkCalibration with(NetworkConstant constant, double value) {
    Map<NetworkConstant, Double> changed = new EnumMap<>(values);
    changed.put(constant, value);
    return new NetworkCalibration(name, origin, spread, changed);
  }

  public NetworkCalibration named(String newName, String newOrigin) {
    return new NetworkCalibration(newName, newOrigin, Optional.empty(), values);
  }

  public NetworkCalibration withSpread(NetworkSpread known) {
    return new NetworkCalibration(name, origin, Optional.of(known), values);
  }
}
