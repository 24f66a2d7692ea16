package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;

import dev.topo.hw.run.Peers;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.UsedDevice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bytedeco.cuda.global.cudart;

/** Lists the participating GPUs, including those of other processes. */
final class DeviceReport {
  private static final int BUS_ID_BYTES = 32;
  private static final int NAME_BYTES = 128;
  private static final String FIELD = "\t";
  private static final int FIELDS = 7;

  private DeviceReport() {}

  static List<UsedDevice> gather(List<NcclGpu> gpus, ProcessPlacement placement, Peers peers) {
    StringBuilder report = new StringBuilder();
    String host = placement.host();
    for (int i = 0; i < gpus.size(); i++) {
      int device = gpus.get(i).device();
      report.append(
          "%s\t%s\t%s\t%s\t%s\t%s\t%s\n"
              .formatted(
                  placement.index() * gpus.size() + i,
                  placement.color(),
                  ProcessHandle.current().pid(),
                  host,
                  device,
                  busId(device),
                  name(device)));
    }
    List<UsedDevice> devices = new ArrayList<>();
    for (String lines : peers.gather(report.toString())) {
      lines.lines().forEach(line -> devices.add(parse(line)));
    }
    return devices;
  }

  private static UsedDevice parse(String line) {
    String[] field = line.split(FIELD, FIELDS);
    return new UsedDevice(
        Integer.parseInt(field[0]),
        Integer.parseInt(field[1]),
        Long.parseLong(field[2]),
        field[3],
        Integer.parseInt(field[4]),
        field[5],
        field[6]);
  }

  private static String busId(int device) {
    byte[] text = new byte[BUS_ID_BYTES];
    cuda(cudart.cudaDeviceGetPCIBusId(text, text.length, device), "cudaDeviceGetPCIBusId");
    return text(text).toLowerCase(Locale.ROOT);
  }

  private static String name(int device) {
    byte[] text = new byte[NAME_BYTES];
    cuda(cudart.cuDeviceGetName(text, text.length, device), "cuDeviceGetName");
    return text(text);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).split("\0", 2)[0];
  }
}
