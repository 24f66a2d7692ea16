package dev.topo.visualizer.drawing;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A part of the PCI tree: a CPU, a switch or a GPU with the devices below it.
 *
 * @param node index of the node
 * @param type its kind
 * @param depth number of switches between it and the CPU, itself included; 0 for the CPU
 * @param branches GPUs and switches on it
 * @param cards network cards on it
 */
record Branch(int node, NodeType type, int depth, List<Branch> branches, List<Integer> cards) {
  Branch {
    branches = List.copyOf(branches);
    cards = List.copyOf(cards);
  }

  /** Returns the PCI trees of a machine, one for each CPU. */
  static List<Branch> of(Topology topology) {
    List<Branch> trees = new ArrayList<>();
    boolean[] seen = new boolean[topology.size()];
    for (int cpu : topology.indexes(NodeType.CPU)) {
      seen[cpu] = true;
    }
    for (int cpu : topology.indexes(NodeType.CPU)) {
      trees.add(branch(topology, cpu, 0, seen));
    }
    return trees;
  }

  private static Branch branch(Topology topology, int node, int depth, boolean[] seen) {
    List<Branch> branches = new ArrayList<>();
    List<Integer> cards = new ArrayList<>();
    for (Link link : topology.links(node)) {
      if (link.type() != LinkType.PCI || seen[link.to()]) {
        continue;
      }
      seen[link.to()] = true;
      NodeType type = topology.node(link.to()).type();
      if (type == NodeType.NIC) {
        cards.add(link.to());
      } else if (type == NodeType.GPU) {
        branches.add(new Branch(link.to(), type, depth + 1, List.of(), List.of()));
      } else {
        branches.add(branch(topology, link.to(), depth + 1, seen));
      }
    }
    branches.sort(Comparator.comparingInt((Branch b) -> b.firstGpu(topology)));
    return new Branch(node, topology.node(node).type(), depth, branches, cards);
  }

  /** The first GPU of the branch in NCCL's order; branches without GPUs sort last. */
  private int firstGpu(Topology topology) {
    return gpus().stream().mapToInt(gpu -> gpu).min().orElse(topology.size());
  }

  /** The depth of the deepest switch in it. */
  int deepestSwitch() {
    return all().stream()
        .filter(branch -> branch.type == NodeType.PCI)
        .mapToInt(Branch::depth)
        .max()
        .orElse(0);
  }

  /** All GPUs in it, from left to right. */
  List<Integer> gpus() {
    return all().stream().filter(branch -> branch.type == NodeType.GPU).map(Branch::node).toList();
  }

  /** This branch and all branches below it. */
  List<Branch> all() {
    List<Branch> all = new ArrayList<>(List.of(this));
    branches.forEach(branch -> all.addAll(branch.all()));
    return all;
  }
}
