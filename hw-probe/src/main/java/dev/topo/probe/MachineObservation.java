package dev.topo.probe;

import dev.topo.probe.facts.MachineFacts;
import dev.topo.probe.nvml.NvmlSnapshot;
import dev.topo.probe.observation.Observation;
import dev.topo.probe.sysfs.network.InterfaceAddresses;

/**
 * Everything detected on a machine, independent of settings.
 *
 * @param nvml what NVIDIA's driver says, or why it cannot be queried
 */
public record MachineObservation(
    Observation<NvmlSnapshot> nvml, InterfaceAddresses addresses, MachineFacts facts) {}
