package dev.topo.hw.nvml;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvml;
import org.bytedeco.cuda.nvml.nvmlDevice_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;

/**
 * Reads from NVIDIA's driver on this machine. Each query initializes NVML and shuts it down again.
 */
public final class JavacppNvmlScope implements NvmlScope {

  @Override
  public Observation<NvmlSnapshot> observe() {
    Observation<String> library = NvmlLibrary.loaded();
    if (library.value().isEmpty()) {
      return Observation.absent(library.reason());
    }
    int started = nvml.nvmlInit_v2();
    if (started != nvml.NVML_SUCCESS) {
      return Observation.absent("nvmlInit: " + error(started));
    }
    try (PointerScope scope = new PointerScope()) {
      return snapshot(scope);
    } finally {
      nvml.nvmlShutdown();
    }
  }

  /** Data of all GPUs; the native handles are released with {@code scope}. */
  @SuppressWarnings("unused") // The parameter forces callers to open a scope.
  private static Observation<NvmlSnapshot> snapshot(PointerScope scope) {
    int[] count = new int[1];
    int counted = nvml.nvmlDeviceGetCount_v2(count);
    if (counted != nvml.NVML_SUCCESS) {
      return Observation.absent("nvmlDeviceGetCount: " + error(counted));
    }
    boolean cuda = NvmlLibrary.hasCuda() && cudart.cuInit(0) == cudart.CUDA_SUCCESS;
    List<nvmlDevice_st> handles = new ArrayList<>();
    List<NvmlDevice> devices = new ArrayList<>();
    for (int index = 0; index < count[0]; index++) {
      nvmlDevice_st handle = new nvmlDevice_st();
      int found = nvml.nvmlDeviceGetHandleByIndex_v2(index, handle);
      if (found != nvml.NVML_SUCCESS) {
        return Observation.absent("GPU " + index + ": " + error(found));
      }
      handles.add(handle);
      devices.add(new DeviceQuery(handle, index).device(cuda));
    }
    byte[] driver = new byte[DeviceQuery.TEXT_LENGTH];
    nvml.nvmlSystemGetDriverVersion(driver, driver.length);
    int[] cudaVersion = new int[1];
    nvml.nvmlSystemGetCudaDriverVersion_v2(cudaVersion);
    return Observation.of(
        new NvmlSnapshot(DeviceQuery.text(driver), cudaVersion[0], devices, peers(handles)));
  }

  private static List<NvmlSnapshot.Peer> peers(List<nvmlDevice_st> handles) {
    List<NvmlSnapshot.Peer> peers = new ArrayList<>();
    for (int from = 0; from < handles.size(); from++) {
      for (int to = 0; to < handles.size(); to++) {
        if (from != to) {
          nvmlDevice_st a = handles.get(from);
          nvmlDevice_st b = handles.get(to);
          peers.add(
              new NvmlSnapshot.Peer(
                  from,
                  to,
                  isAllowed(a, b, nvml.NVML_P2P_CAPS_INDEX_READ),
                  isAllowed(a, b, nvml.NVML_P2P_CAPS_INDEX_WRITE)));
        }
      }
    }
    return peers;
  }

  private static boolean isAllowed(nvmlDevice_st from, nvmlDevice_st to, int access) {
    int[] status = new int[1];
    return nvml.nvmlDeviceGetP2PStatus(from, to, access, status) == nvml.NVML_SUCCESS
        && status[0] == nvml.NVML_P2P_STATUS_OK;
  }

  private static String error(int code) {
    try (BytePointer text = nvml.nvmlErrorString(code)) {
      return text == null ? "error " + code : text.getString();
    }
  }
}
