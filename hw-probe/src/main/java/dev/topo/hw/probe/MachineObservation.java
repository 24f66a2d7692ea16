package dev.topo.hw.probe;

import dev.topo.hw.nvml.NvmlSnapshot;
import dev.topo.hw.nvml.Observation;
import dev.topo.hw.sysfs.InterfaceAddresses;
import dev.topo.hw.sysfs.MachineFacts;

/**
 * Everything detected on a machine, independent of settings.
 *
 * @param nvml data of NVIDIA's driver, or the reason why it cannot be queried
 */
public record MachineObservation(
    Observation<NvmlSnapshot> nvml, InterfaceAddresses addresses, MachineFacts facts) {}
