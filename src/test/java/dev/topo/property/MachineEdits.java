package dev.topo.property;

import dev.topo.property.MachineParts.Gpu;
import dev.topo.property.MachineParts.Port;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Edits at random, in the language of {@code topo whatif}. */
final class MachineEdits {
  private MachineEdits() {}

  /** Any: a device is removed, or elsewhere, or a link is slower. */
  static Optional<String> any(MachineParts parts, Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> removeGpu(parts, random);
      case 1, 2 -> move(parts, random);
      default -> less(parts, random);
    };
  }

  /** One that takes links away or makes some slower, and none faster. */
  static Optional<String> less(MachineParts parts, Random random) {
    return parts.ports().isEmpty() || random.nextInt(3) == 0
        ? lessOfGpu(parts, random)
        : lessOfPort(parts, random);
  }

  private static Optional<String> lessOfGpu(MachineParts parts, Random random) {
    Gpu gpu = pick(parts.gpus(), random);
    String dev = random.nextBoolean() ? gpu.dev() : "*";
    if (random.nextBoolean() && !gpu.nvlinks().isEmpty()) {
      int most =
          parts.gpus().stream()
              .flatMap(one -> one.nvlinks().stream())
              .mapToInt(n -> n)
              .max()
              .orElse(0);
      int least =
          parts.gpus().stream()
              .flatMap(one -> one.nvlinks().stream())
              .mapToInt(n -> n)
              .min()
              .orElse(0);
      return most == least ? halved("nvlink:" + dev + ".count", most) : Optional.empty();
    }
    boolean alike = parts.gpus().stream().allMatch(one -> one.lanes() == gpu.lanes());
    return halved("gpu:" + (alike ? dev : gpu.dev()) + ".link_width", gpu.lanes());
  }

  private static Optional<String> lessOfPort(MachineParts parts, Random random) {
    Port port = pick(parts.ports(), random);
    boolean alike =
        parts.ports().stream()
            .allMatch(one -> one.speed() == port.speed() && one.lanes() == port.lanes());
    String name = "net:" + (alike && random.nextBoolean() ? "*" : port.name());
    return switch (random.nextInt(3)) {
      case 0 -> halved(name + ".link_width", port.lanes());
      case 1 -> halved(name + ".speed", port.speed());
      default ->
          parts.ports().size() == 1 ? Optional.empty() : Optional.of("remove net:" + port.name());
    };
  }

  private static Optional<String> halved(String attribute, int value) {
    return value < 2 ? Optional.empty() : Optional.of(attribute + "=" + value / 2);
  }

  private static Optional<String> removeGpu(MachineParts parts, Random random) {
    return parts.gpus().size() < 3
        ? Optional.empty()
        : Optional.of("remove gpu:" + pick(parts.gpus(), random).dev());
  }

  private static Optional<String> move(MachineParts parts, Random random) {
    if (parts.ports().isEmpty() || parts.places().isEmpty()) {
      return Optional.empty();
    }
    Port port = pick(parts.ports(), random);
    return Optional.of(
        "move %s:%s to %s"
            .formatted(port.isAlone() ? "net" : "nic", port.name(), pick(parts.places(), random)));
  }

  static <T> T pick(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }
}
