package dev.topo.inspect.lint;

import dev.topo.model.graph.ChannelGraph;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rules for graph files, and for their agreement with the GPUs of a machine ({@code
 * ncclTopoGetGraphFromXmlSub}, {@code ncclTopoGetChannelFromXml}, {@code
 * nccl:src/graph/search.cc}).
 */
record GraphRules(Optional<TopologyIndex> machine, Findings findings) {
  /** Id of the graph of NVLS, whose channels name one GPU ({@code ncclTopoGetXmlFromChannel}). */
  private static final int NVLS = 3;

  private static final Pattern HEX = Pattern.compile("(0[xX])?([0-9a-fA-F]{1,16})");
  private static final Set<String> PATH_TYPES =
      Set.of("LOC", "NVL", "NVB", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS");

  private static final String[] REQUIRED =
      "id pattern crossnic nchannels speedintra speedinter typeintra typeinter samechannels"
          .split(" ", -1);

  void check(LintElement graphs) {
    Map<Integer, LintElement> graphById = new HashMap<>();
    for (LintElement graph : graphs.elements("graph")) {
      checkAttributes(graph);
      int id = graph.number("id", -1);
      if (graph.value("id").isPresent() && (id < 0 || id > 4)) {
        findings.add(LintRule.GRAPH_ID, graph, "id", "is no kind of graph, expected 0 to 4");
      } else if (graphById.put(id, graph) != null) {
        findings.add(LintRule.GRAPH_ID, graph, "id", "is a duplicate, NCCL uses the last one");
      }
      checkChannels(graph, id);
    }
  }

  private void checkAttributes(LintElement graph) {
    for (String name : REQUIRED) {
      if (graph.attribute(name).isEmpty()) {
        findings.add(LintRule.GRAPH_MISSING_ATTRIBUTE, graph, "attribute " + name + " is missing");
      }
    }
    int pattern = graph.number("pattern", 4);
    if (pattern < 1 || pattern > 6) {
      findings.add(LintRule.GRAPH_PATTERN, graph, "pattern", "is no pattern, expected 1 to 6");
    }
    for (String name : List.of("typeintra", "typeinter")) {
      String type = graph.value(name).orElse("LOC");
      if (PATH_TYPES.stream().noneMatch(type::startsWith)) {
        findings.add(LintRule.GRAPH_PATH_TYPE, graph, name, "is read as LOC");
      }
    }
  }

  private void checkChannels(LintElement graph, int id) {
    List<LintElement> channels = graph.elements("channel");
    int stated = graph.number("nchannels", channels.size());
    if (stated != channels.size()) {
      String message = "but there are " + channels.size();
      findings.add(LintRule.GRAPH_CHANNEL_COUNT, graph, "nchannels", message);
    }
    if (Math.max(stated, channels.size()) > ChannelGraph.MAX_CHANNELS) {
      String message = "are more than " + ChannelGraph.MAX_CHANNELS;
      findings.add(LintRule.GRAPH_TOO_MANY_CHANNELS, graph, "nchannels", message);
    }
    int expected =
        machine
            .map(topology -> topology.gpus().size())
            .orElseGet(() -> channels.isEmpty() ? 0 : channels.get(0).elements("gpu").size());
    for (LintElement channel : channels) {
      int gpus = channel.elements("gpu").size();
      boolean head = id == NVLS && gpus == 1;
      if (gpus != expected && !head) {
        String whose = machine.isPresent() ? "the machine has " : "the first channel ";
        String message = "names " + gpus + " GPUs, " + whose + expected;
        findings.add(LintRule.GRAPH_GPU_COUNT, channel, message);
      }
      int nets = channel.elements("net").size();
      if (nets != 0 && nets != 2) {
        findings.add(LintRule.GRAPH_NETS, channel, "names " + nets + " nets");
      }
      checkDevices(channel);
    }
  }

  private void checkDevices(LintElement channel) {
    Set<BigInteger> devices = new HashSet<>();
    Set<BigInteger> gpus = devs(true);
    Set<BigInteger> nets = devs(false);
    for (LintElement device : channel.elements()) {
      if (device.attribute("dev").isEmpty()) {
        findings.add(LintRule.GRAPH_MISSING_ATTRIBUTE, device, "attribute dev is missing");
        continue;
      }
      String text = device.text("dev");
      Matcher matcher = HEX.matcher(text);
      if (!matcher.matches()) {
        continue;
      }
      if (text.matches("[0-9]{2,}")) {
        findings.add(LintRule.GRAPH_DEV_DECIMAL, device, "dev", "is read as hexadecimal");
      }
      BigInteger dev = new BigInteger(matcher.group(2), 16);
      boolean gpu = device.name().equals("gpu");
      if (gpu && !devices.add(dev)) {
        findings.add(LintRule.GRAPH_GPU_TWICE, device, "dev", "is a duplicate in this channel");
      }
      Set<BigInteger> known = gpu ? gpus : nets;
      if (machine.isPresent() && !known.contains(dev)) {
        LintRule rule = gpu ? LintRule.GRAPH_NO_SUCH_GPU : LintRule.GRAPH_NO_SUCH_NET;
        String kind = gpu ? "GPU" : "net";
        findings.add(rule, device, "dev", "is no " + kind + " of the machine, it has " + known);
      }
    }
  }

  private Set<BigInteger> devs(boolean gpus) {
    return machine.stream()
        .flatMap(topology -> (gpus ? topology.gpus() : topology.nets()).stream())
        .map(device -> BigInteger.valueOf(device.number("dev", 0)))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
