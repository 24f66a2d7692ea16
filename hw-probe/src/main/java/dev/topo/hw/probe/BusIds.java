package dev.topo.hw.probe;

import dev.topo.model.Node.BusId;
import java.util.Locale;

/** Bus ids as NCCL writes them ({@code nccl:src/misc/utils.cc}). */
public final class BusIds {
  private BusIds() {}

  /** Bus id of a GPU as NCCL writes it: {@code 0000:1b:00.0} for {@code 00000000:1B:00.0}. */
  public static String normal(String busId) {
    return BusId.isBusId(busId)
        ? BusId.of(new BusId(busId).number()).text()
        : busId.toLowerCase(Locale.ROOT);
  }
}
