package dev.topo.simulator.evaluate;

import dev.topo.model.nic.HostList;
import dev.topo.simulator.network.FabricTraffic;
import java.util.ArrayList;
import java.util.List;

/** Facts that times over stated switches do not model, in words. */
final class FabricCaveats {
  private FabricCaveats() {}

  static List<String> of(FabricTraffic fabric) {
    List<String> caveats = new ArrayList<>();
    if (!fabric.isUnlimited()) {
      caveats.add(
          "switches: uplinks have the stated bandwidth, of which flows get equal parts; not compared with a measurement, no range is known for what"
              + " an uplink limits");
    }
    if (fabric.isHashed()) {
      caveats.add(
          "each flow stays on one link of an uplink, at random and independently of the others: such times are expected ones, and 90 of"
              + " 100 hashes are between the times beside the uplink (docs/predict.md)");
    }
    if (!fabric.unknownUplinks().isEmpty()) {
      caveats.add(
          "no bandwidth is stated for the uplinks of %s: taken for wide enough%s"
              .formatted(
                  HostList.fold(fabric.unknownUplinks()),
                  fabric.isUnlimited() ? ", so that switches limit nothing" : ""));
    }
    if (fabric.unknownPorts() > 0) {
      caveats.add(
          "%s ports are at no switch of --fabric: their traffic is on no uplink"
              .formatted(fabric.unknownPorts()));
    }
    return caveats;
  }
}
