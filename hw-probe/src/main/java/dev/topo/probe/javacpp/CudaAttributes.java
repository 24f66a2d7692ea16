package dev.topo.probe.javacpp;

import dev.topo.probe.nvml.Capability;
import org.bytedeco.cuda.global.cudart;

/**
 * What only the CUDA driver knows about a GPU. Makes no context. A GPU that {@code
 * CUDA_VISIBLE_DEVICES} hides from this process cannot be asked.
 */
final class CudaAttributes {
  private CudaAttributes() {}

  /** Starts the driver; false if it does not start. */
  static boolean initialize() {
    return cudart.cuInit(0) == cudart.CUDA_SUCCESS;
  }

  /** Whether CUDA lets network cards access the GPU's memory. */
  static Capability gpuDirectRdma(String busId) {
    return ask(busId, cudart.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED);
  }

  /** Whether CUDA gives out the GPU's memory as DMA-BUF. */
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
