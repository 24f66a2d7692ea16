package dev.topo.probe.javacpp;

import dev.topo.probe.nvml.Capability;
import org.bytedeco.cuda.global.cudart;

/**
 * Attributes of a GPU that only the CUDA driver provides. Creates no context. A GPU that {@code
 * CUDA_VISIBLE_DEVICES} hides from this process cannot be queried.
 */
final class CudaAttributes {
  private CudaAttributes() {}

  static boolean initialize() {
    return cudart.cuInit(0) == cudart.CUDA_SUCCESS;
  }

  static Capability gpuDirectRdma(String busId) {
    return ask(busId, cudart.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED);
  }

  static Capability dmaBuf(String busId) {
    return ask(busId, cudart.CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED);
  }

  private static Capability ask(String busId, int attribute) {
    int[] device = new int[1];
    int[] value = new int[1];
    boolean answered =
        cudart.cuDeviceGetByPCIBusId(device, busId) == cudart.CUDA_SUCCESS
            && cudart.cuDeviceGetAttribute(value, attribute, device[0]) == cudart.CUDA_SUCCESS;
    return answered ? Capability.of(value[0] != 0) : Capability.UNKNOWN;
  }
}
