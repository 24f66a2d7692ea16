package dev.topo.probe;

import dev.topo.probe.facts.MachineFacts;
import dev.topo.probe.nvml.NvmlSnapshot;
import dev.topo.probe.observation.Observation;
import dev.topo.probe.sysfs.network.InterfaceAddresses;

/**
 * All that was found on a machine, before any setting has a say.
 *
 * @param nvml what NVIDIA's driver says, or why it cannot be asked
 */
public record MachineObservation(
    Observation<NvmlSnapshot> nvml, InterfaceAddresses addresses, MachineFacts facts) {}
