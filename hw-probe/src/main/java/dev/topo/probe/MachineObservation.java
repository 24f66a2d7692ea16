package dev.topo.probe;

import dev.topo.probe.nvml.NvmlSnapshot;
import dev.topo.probe.nvml.Observation;
import dev.topo.probe.sysfs.InterfaceAddresses;
import dev.topo.probe.sysfs.MachineFacts;

/**
 * Everything detected on a machine, independent of settings.
 *
 * @param nvml what NVIDIA's driver says, or why it cannot be queried
 */
public record MachineObservation(
    Observation<NvmlSnapshot> nvml, InterfaceAddresses addresses, MachineFacts facts) {}
