package dev.topo.hw.nvml;

import dev.topo.model.ComputeCapability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvml;
import org.bytedeco.cuda.nvml.nvmlDevice_st;
import org.bytedeco.cuda.nvml.nvmlFieldValue_t;
import org.bytedeco.cuda.nvml.nvmlPciInfo_t;

/** Queries NVML for one GPU as {@code nccl:src/graph/xml.cc#ncclTopoGetXmlFromGpu} does. */
record DeviceQuery(nvmlDevice_st device, int index) {
  static final int TEXT_LENGTH = 96;

  NvmlDevice device(boolean cuda) {
    int[] major = new int[1];
    int[] minor = new int[1];
    nvml.nvmlDeviceGetCudaComputeCapability(device, major, minor);
    int sm = major[0] * 10 + minor[0];
    String busId = busId();
    byte[] uuid = new byte[TEXT_LENGTH];
    boolean named = nvml.nvmlDeviceGetUUID(device, uuid, uuid.length) == nvml.NVML_SUCCESS;
    return new NvmlDevice(
        index,
        busId,
        named ? text(uuid) : "",
        sm,
        cuda
            ? capability(busId, cudart.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED)
            : Capability.UNKNOWN,
        cuda ? capability(busId, cudart.CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED) : Capability.UNKNOWN,
        mig(),
        nvlinks(sm),
        sm >= ComputeCapability.HOPPER ? c2cLinks() : List.of());
  }

  /**
   * Queries an attribute that only the CUDA driver provides, without creating a context. A GPU
   * hidden from this process by {@code CUDA_VISIBLE_DEVICES} cannot be queried.
   */
  private static Capability capability(String busId, int attribute) {
    int[] device = new int[1];
    int[] value = new int[1];
    boolean answered =
        cudart.cuDeviceGetByPCIBusId(device, busId) == cudart.CUDA_SUCCESS
            && cudart.cuDeviceGetAttribute(value, attribute, device[0]) == cudart.CUDA_SUCCESS;
    return answered ? Capability.of(value[0] != 0) : Capability.UNKNOWN;
  }

  private String busId() {
    try (nvmlPciInfo_t pci = new nvmlPciInfo_t()) {
      return nvml.nvmlDeviceGetPciInfo_v3(device, pci) == nvml.NVML_SUCCESS
          ? pci.busId().getString()
          : "";
    }
  }

  private boolean mig() {
    int[] current = new int[1];
    int[] pending = new int[1];
    return nvml.nvmlDeviceGetMigMode(device, current, pending) == nvml.NVML_SUCCESS
        && current[0] == nvml.NVML_DEVICE_MIG_ENABLE;
  }

  private List<NvmlDevice.Nvlink> nvlinks(int sm) {
    List<NvmlDevice.Nvlink> links = new ArrayList<>();
    for (int number = 0; number < nvml.NVML_NVLINK_MAX_LINKS; number++) {
      int[] peerToPeer = new int[1];
      int status =
          nvml.nvmlDeviceGetNvLinkCapability(
              device, number, nvml.NVML_NVLINK_CAP_P2P_SUPPORTED, peerToPeer);
      if (status == nvml.NVML_SUCCESS) {
        links.add(
            new NvmlDevice.Nvlink(number, peerToPeer[0] != 0, active(number, sm), remote(number)));
      }
    }
    return links;
  }

  /** State of a link; from Hopper on NCCL reads it as a field value. */
  private boolean active(int number, int sm) {
    if (sm >= ComputeCapability.HOPPER) {
      return field(nvml.NVML_FI_DEV_NVLINK_GET_STATE, number)
          .filter(state -> state == nvml.NVML_FEATURE_ENABLED)
          .isPresent();
    }
    int[] state = new int[1];
    return nvml.nvmlDeviceGetNvLinkState(device, number, state) == nvml.NVML_SUCCESS
        && state[0] == nvml.NVML_FEATURE_ENABLED;
  }

  /**
   * Remote end of a link, in the legacy format: NCCL calls the first version of the function, which
   * returns no other.
   */
  private Optional<String> remote(int number) {
    try (nvmlPciInfo_t pci = new nvmlPciInfo_t()) {
      return nvml.nvmlDeviceGetNvLinkRemotePciInfo_v2(device, number, pci) == nvml.NVML_SUCCESS
          ? Optional.of(pci.busIdLegacy().getString())
          : Optional.empty();
    }
  }

  private List<NvmlDevice.C2cLink> c2cLinks() {
    int count = field(nvml.NVML_FI_DEV_C2C_LINK_COUNT, 0).orElse(0);
    List<NvmlDevice.C2cLink> links = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      boolean up = field(nvml.NVML_FI_DEV_C2C_LINK_GET_STATUS, number).orElse(0) == 1;
      Optional<Integer> bw = field(nvml.NVML_FI_DEV_C2C_LINK_GET_MAX_BW, number);
      links.add(new NvmlDevice.C2cLink(number, up && bw.isPresent(), bw.orElse(0)));
    }
    return links;
  }

  private Optional<Integer> field(int id, int scope) {
    try (nvmlFieldValue_t value = new nvmlFieldValue_t()) {
      value.fieldId(id).scopeId(scope);
      boolean answered =
          nvml.nvmlDeviceGetFieldValues(device, 1, value) == nvml.NVML_SUCCESS
              && value.nvmlReturn() == nvml.NVML_SUCCESS;
      return answered ? Optional.of(value.value().uiVal()) : Optional.empty();
    }
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII).split("\0", 2)[0];
  }
}
