package dev.topo.inspect.measured;

import dev.topo.inspect.measured.YamlNode.Fields;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.model.nic.SwitchMapReader.Field;
import dev.topo.model.nic.SwitchMapReader.Route;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the switches between nodes from what sites have: the files of {@link SwitchMapReader},
 * Slurm's {@code topology.yaml} (man topology.yaml), and the nodes of Kubernetes with labels of
 * their place ({@code kubectl get nodes -o json} or {@code -o yaml}). Only {@code UplinkGbps} and
 * the table state bandwidths.
 */
public final class FabricReader {
  /** A first line that begins a document of YAML or JSON: a marker, an item, a key or a map. */
  private static final Pattern DOCUMENT = Pattern.compile("---|- |[\\w-]+:(\\s|$)|\\{");

  /** A comment or a blank line. */
  private static final Pattern SKIPPED = Pattern.compile("\\s*(#.*)?");

  /** The keys of topology.yaml and the fields of topology.conf that mean the same. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "switch", "switchname",
          "children", "switches",
          "block", "blockname",
          "nodes", "nodes");

  /**
   * Labels of the place of a node, the highest first: of Kubernetes, of clouds and topograph
   * ({@code topograph:docs/reference/node-labels.md}). The last is the NVLink domain, ClusterUUID
   * and CliqueId, which counts where no label but those of region and zone is stated: rails of a
   * domain may be at several switches.
   */
  private static final List<String> LABELS =
      List.of(
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/zone",
          "cloud.provider.com/topology-block",
          "cloud.provider.com/topology-rack",
          "network.topology.nvidia.com/core",
          "network.topology.nvidia.com/spine",
          "network.topology.nvidia.com/leaf",
          "topology.k8s.aws/network-node-layer-1",
          "topology.k8s.aws/network-node-layer-2",
          "topology.k8s.aws/network-node-layer-3",
          "cloud.google.com/gce-topology-block",
          "cloud.google.com/gce-topology-subblock",
          "oci.oraclecloud.com/host.network_block_id",
          "oci.oraclecloud.com/host.rack_id",
          "nvidia.com/gpu.clique");

  /** Number of the labels that name a region and a zone. */
  private static final int WIDE = 2;

  private FabricReader() {}

  /**
   * Reads a file; its first line tells the format.
   *
   * @throws TopologyFormatException if it cannot be used
   */
  public static SwitchMap read(Path path, Inputs inputs) {
    String file = path.toString();
    String text = inputs.text(path, "the switches between nodes");
    List<String> lines = text.lines().toList();
    String first =
        lines.stream().filter(line -> !SKIPPED.matcher(line).matches()).findFirst().orElse("");
    if (!DOCUMENT.matcher(first).lookingAt()) {
      return SwitchMapReader.parse(file, lines);
    }
    YamlNode document =
        YamlReader.read(text, file, first.startsWith("{") ? new JsonFactory() : YamlReader.FACTORY);
    return document instanceof YamlNode.Items topologies
        ? SwitchMapReader.ofStatements(file, statements(chosen(topologies)))
        : ofNodes(
            document
                .fields("nodes of Kubernetes")
                .require("items", "expected the items of kubectl get nodes")
                .items("a list of nodes"),
            file);
  }

  /** The topology with switches or blocks: the only one, or the first that is the default. */
  private static Fields chosen(YamlNode.Items topologies) {
    List<Fields> all =
        topologies.items().stream()
            .map(one -> one.fields("topology: NAME"))
            .filter(one -> one.find("tree").or(() -> one.find("block")).isPresent())
            .toList();
    return all.stream()
        .filter(one -> all.size() == 1 || text(one, "cluster_default").contains("true"))
        .findFirst()
        .orElseThrow(
            () ->
                topologies.error(
                    "%s topologies with a tree or blocks, expected one, or cluster_default: true"
                        .formatted(all.size())));
  }

  private static String text(Fields fields, String key) {
    return fields.find(key).orElse(null) instanceof YamlNode.Text value ? value.text() : "";
  }

  private static List<List<Field>> statements(Fields topology) {
    Fields body =
        topology
            .find("tree")
            .or(() -> topology.find("block"))
            .orElseThrow()
            .fields("switches or blocks");
    List<List<Field>> statements = new ArrayList<>();
    for (YamlNode one :
        body.find("switches")
            .orElseGet(() -> body.require("blocks", "expected switches or blocks"))
            .items("a list")) {
      List<Field> statement = statement(one.fields("switch: NAME"));
      if (statement.isEmpty()) {
        throw one.error("expected switch: NAME or block: NAME");
      }
      statements.add(statement);
    }
    return statements;
  }

  private static List<Field> statement(Fields fields) {
    List<Field> statement = new ArrayList<>();
    fields
        .fields()
        .forEach(
            (key, value) ->
                Optional.ofNullable(FIELDS.get(key))
                    .ifPresent(
                        name ->
                            statement.add(
                                Field.of(name, value.text("a name or list"), value.location()))));
    return statement;
  }

  /** The places of a node with these labels, the nearest first. */
  private static List<String> up(YamlNode labels) {
    Fields stated = labels.fields("labels");
    List<String> up = new ArrayList<>();
    boolean isNear = false;
    for (int i = 0; i < LABELS.size(); i++) {
      boolean isLast = i == LABELS.size() - 1;
      String value = text(stated, LABELS.get(i));
      if (!value.isEmpty() && !(isLast && isNear)) {
        up.add(0, value);
        isNear |= i >= WIDE;
      }
    }
    return up;
  }

  private static SwitchMap ofNodes(List<YamlNode> nodes, String file) {
    List<Route> routes = new ArrayList<>();
    for (YamlNode node : nodes) {
      Fields metadata =
          node.fields("a node").require("metadata", "expected metadata").fields("metadata");
      List<String> up = metadata.find("labels").map(FabricReader::up).orElse(List.of());
      if (!up.isEmpty()) {
        routes.add(
            new Route(
                metadata.require("name", "expected a name").text("a name"),
                up,
                metadata.location()));
      }
    }
    if (routes.isEmpty()) {
      throw new TopologyFormatException(
          file, "no node states its place, expected labels such as " + String.join(", ", LABELS));
    }
    return SwitchMapReader.ofRoutes(file, routes);
  }
}
