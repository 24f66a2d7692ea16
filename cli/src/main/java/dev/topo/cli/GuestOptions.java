package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue;
import dev.topo.inspect.guest.BusIdPairs;
import dev.topo.inspect.guest.DevicePairing;
import dev.topo.inspect.guest.GuestDevices;
import dev.topo.inspect.guest.GuestDevicesReader;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe which of the host's devices a guest has. */
final class GuestOptions {
  /**
   * Largest number of CPUs whose mask NCCL can read. A mask takes 9 characters per 32 CPUs, and
   * NCCL rejects values of more than 253 characters ({@code xmlGetValue}, {@code
   * nccl:src/graph/xml.cc}).
   */
  private static final int MAX_VCPUS = 896;

  @Option(
      names = "--guest",
      paramLabel = "FILE",
      description =
          "What the guest sees: the text of lspci -Dn (or -Dnn), lines of bus id, class, vendor and"
              + " device, or a topology dumped there.")
  private @Nullable Path guestFile;

  @Option(
      names = "--map",
      paramLabel = "HOST=GUEST",
      description =
          "Bus ids of a device on the host and in the guest; may be repeated. Devices that are not mapped are"
              + " paired by order among equal products.")
  private List<String> maps = new ArrayList<>();

  @Option(
      names = "--map-file",
      paramLabel = "FILE",
      description = "As --map, one pair of bus ids per line; # starts a comment.")
  private @Nullable Path mapFile;

  @Option(
      names = "--vcpus",
      paramLabel = "N",
      description = "CPUs of the guest, for affinity (default: NCCL uses the guest's own).")
  private @Nullable Integer vcpus;

  /** Reads the devices of the guest; none if the user has no file of them. */
  GuestDevices devices(Inputs inputs) {
    return guestFile == null
        ? GuestDevices.NONE
        : GuestDevicesReader.read(
            inputs.bytes(guestFile, "the device list of the guest"), guestFile.toString());
  }

  /** The number of CPUs of the guest, if the user states it. */
  OptionalInt vcpus() {
    refuseIf(
        vcpus != null && (vcpus < 1 || vcpus > MAX_VCPUS),
        "--vcpus %s: expected a number from 1 to %s, NCCL cannot read longer masks (without it NCCL asks the guest)"
            .formatted(vcpus, MAX_VCPUS));
    return OptionValue.optional(vcpus);
  }

  /** Bus ids on the host, each with the bus id of the same device in the guest. */
  Map<String, String> map(Inputs inputs) {
    BusIdPairs pairs = new BusIdPairs();
    for (String text : maps) {
      refuseIf(
          !pairs.add(text.split("=", -1)),
          "--map %s: expected HOST=GUEST once for each device, as 0000:1b:00.0=0000:05:00.0"
              .formatted(text));
    }
    if (mapFile != null) {
      pairs.addFile(mapFile, inputs);
    }
    refuseIf(
        guestFile == null && pairs.map().isEmpty(),
        "expected --guest FILE or --map HOST=GUEST (--help shows how)");
    return pairs.map();
  }

  /** Remarks on guesses in the comparison, with the options that replace them. */
  static List<String> remarks(DevicePairing pairing, boolean hasDump) {
    List<String> remarks = new ArrayList<>();
    if (pairing.guessed()) {
      remarks.add(
          "paired by the order of bus ids: compare the serial numbers of GPUs on both sides"
              + " (nvidia-smi --query-gpu=pci.bus_id,serial --format=csv), correct them with --map HOST=GUEST");
    }
    if (!hasDump) {
      remarks.add(
          "the guest without the file is assumed to be flat, every device directly below one CPU (--guest with"
              + " a topology dumped in the guest replaces the assumption)");
    }
    return remarks;
  }
}
