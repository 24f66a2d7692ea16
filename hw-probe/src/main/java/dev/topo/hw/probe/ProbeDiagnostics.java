package dev.topo.hw.probe;

import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.nvml.NvmlSnapshot;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import java.util.List;

/** Diagnostics about a machine beyond its topology. */
record ProbeDiagnostics(
    MachineObservation observation, ProbeOptions options, Diagnostics diagnostics) {
  private static final SourceLocation NVML = SourceLocation.of("nvml");
  private static final SourceLocation SETTINGS = SourceLocation.of("settings");

  private static final String MELLANOX = "0x15b3";
  private static final String CONNECTX_8 = "0x1023";

  void add() {
    observation.nvml().value().ifPresent(this::gpus);
    system();
    settings();
  }

  private void gpus(NvmlSnapshot snapshot) {
    List<NvmlDevice> devices = snapshot.devices();
    for (NvmlDevice device : devices) {
      if (device.mig()) {
        diagnostics.warn(
            "mig",
            NVML,
            "GPU %s (%s): is split into MIG instances; shown as a whole GPU"
                .formatted(device.index(), device.busId()));
      }
    }
    if (devices.stream().map(NvmlDevice::sm).distinct().count() > 1) {
      diagnostics.note(
          "mixed-gpus",
          NVML,
          "GPUs differ: without CUDA_DEVICE_ORDER=PCI_BUS_ID, CUDA counts the fastest as 0, and ranks differ");
    }
  }

  private void system() {
    MachineFacts facts = observation.facts();
    if (facts.cpus().arch() == CpuArch.UNKNOWN) {
      diagnostics.warn(
          "unknown-cpu", SourceLocation.of("/proc/cpuinfo"), "says neither x86 nor Arm nor POWER");
    }
    if (facts.pci().values().stream()
        .anyMatch(pci -> pci.vendor().equals(MELLANOX) && pci.device().equals(CONNECTX_8))) {
      diagnostics.note(
          "data-direct",
          SourceLocation.of("/sys/bus/pci/devices"),
          "ConnectX-8: where it has a data direct function, NCCL uses that one (mlx5_0_dma); not shown");
    }
    if (observation.addresses().families().isEmpty()) {
      diagnostics.note(
          "guessed-addresses",
          SourceLocation.of(MachineProbe.INTERFACES_FILE),
          "is not there: every interface that is up is taken to have an address");
    }
    if (facts.virtualTopology().isPresent() && options.topologyFile().isEmpty()) {
      diagnostics.note(
          "virtual-topology",
          SourceLocation.of("/var/run/nvidia-topologyd/virtualTopology.xml"),
          "is there: NCCL begins with it");
    }
  }

  private void settings() {
    boolean plugin =
        options
            .settings()
            .text("NCCL_NET_PLUGIN")
            .filter(name -> !name.isEmpty() && !name.equalsIgnoreCase("none"))
            .isPresent();
    if (plugin) {
      diagnostics.note(
          "net-plugin",
          SETTINGS,
          "NCCL_NET_PLUGIN is set: the network devices of a plugin are not shown");
    }
    boolean named =
        options.settings().text("NCCL_SOCKET_IFNAME").filter(t -> t.length() > 1).isPresent();
    if (options.settings().text("NCCL_COMM_ID").isPresent()
        && options.meetingInterface().isEmpty()
        && !named) {
      diagnostics.note(
          "comm-id",
          SETTINGS,
          "NCCL_COMM_ID is set: NCCL takes the interface of its address first, which is not known here");
    }
  }
}
