package dev.topo.inspect.edit;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTreeNode;
import dev.topo.search.topology.NvlinkDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Splits an edit of an NVLink domain into edits of its hosts: {@code gpu:3-1} is the GPU with
 * {@code dev} 1 of host 3, counted from 0 in the order of the file; {@code gpu:1} is that GPU on
 * each host that has one.
 */
final class HostEdits {
  private static final Pattern ON_HOST = Pattern.compile("(\\d{1,4})-(.+)", Pattern.DOTALL);

  private final List<XmlElement> hosts;
  private final List<PartFinder> finders;

  HostEdits(List<XmlElement> hosts) {
    this.hosts = hosts;
    this.finders = hosts.stream().map(host -> new PartFinder(XmlTreeNode.of(host))).toList();
  }

  /**
   * Returns the domain after an edit.
   *
   * @param onHost applies an edit to one host
   * @throws TopologyFormatException if no host has a part with that name
   */
  XmlElement apply(Edit edit, BiFunction<XmlElement, Edit, XmlElement> onHost) {
    Map<Integer, Edit> edits = byHost(edit);
    return NvlinkDomain.rejoin(
        IntStream.range(0, hosts.size())
            .mapToObj(
                host ->
                    Optional.ofNullable(edits.get(host))
                        .map(selected -> onHost.apply(hosts.get(host), selected))
                        .orElse(hosts.get(host)))
            .toList());
  }

  private Map<Integer, Edit> byHost(Edit edit) {
    Map<Integer, Edit> edits = new TreeMap<>();
    if (edit instanceof Edit.OfParts ofParts) {
      selected(ofParts.parts())
          .forEach(
              (host, some) ->
                  edits.put(host, ofParts.onHost(some, selector -> on(host, selector))));
    } else if (edit instanceof Edit.Add add) {
      int rank = nextRank();
      for (int host : placesOf(add)) {
        Map<String, String> attributes = new LinkedHashMap<>(add.attributes());
        if (add.what().kind() == Selector.Kind.GPU && rank > 0) {
          attributes.putIfAbsent("rank", String.valueOf(rank++));
        }
        edits.put(
            host,
            new Edit.Add(
                on(host, add.what()),
                add.to().map(to -> on(host, to)),
                add.like().map(like -> on(host, like)),
                attributes,
                edit.location()));
      }
    }
    return edits;
  }

  /** The next free rank of the domain; 0 if the file states no ranks. */
  private int nextRank() {
    return hosts.stream()
        .flatMap(host -> XmlTreeNode.of(host).all("gpu").stream())
        .map(gpu -> gpu.value("rank"))
        .filter(rank -> rank.matches("\\d{1,9}"))
        .mapToInt(rank -> Integer.parseInt(rank) + 1)
        .max()
        .orElse(0);
  }

  /**
   * Hosts to which a part is added: the one that the edit names, or all that have the named switch
   * or CPU.
   */
  private List<Integer> placesOf(Edit.Add add) {
    OptionalInt named = add.to().map(this::hostOf).orElse(OptionalInt.empty());
    if (hostOf(add.what()).isPresent()) {
      named = hostOf(add.what());
    }
    if (named.isPresent()) {
      return List.of(named.getAsInt());
    }
    return add.to().isPresent()
        ? List.copyOf(selected(List.of(add.to().get())).keySet())
        : IntStream.range(0, hosts.size()).boxed().toList();
  }

  /** Groups selectors by the hosts that have the named parts. */
  private Map<Integer, List<Selector>> selected(List<Selector> selectors) {
    Map<Integer, List<Selector>> found = new TreeMap<>();
    for (Selector selector : selectors) {
      OptionalInt named = hostOf(selector);
      List<Integer> having =
          named.isPresent()
              ? List.of(named.getAsInt())
              : IntStream.range(0, hosts.size())
                  .filter(host -> finders.get(host).has(selector))
                  .boxed()
                  .toList();
      if (having.isEmpty()) {
        finders.get(0).find(selector); // reports the existing parts
      }
      having.forEach(
          host -> found.computeIfAbsent(host, key -> new ArrayList<>()).add(on(host, selector)));
    }
    return found;
  }

  private OptionalInt hostOf(Selector selector) {
    Matcher matcher = ON_HOST.matcher(selector.value());
    if (!matcher.matches()) {
      return OptionalInt.empty();
    }
    int host = Integer.parseInt(matcher.group(1));
    if (host >= hosts.size()) {
      throw selector.error(
          ": the domain has no host %s, expected 0 to %s".formatted(host, hosts.size() - 1));
    }
    return OptionalInt.of(host);
  }

  /** Selector for a host, without the host's number. */
  private Selector on(int host, Selector selector) {
    OptionalInt named = hostOf(selector);
    if (named.isEmpty()) {
      return selector;
    }
    if (named.getAsInt() != host) {
      throw selector.error(" is on another host, expected a part of host " + host);
    }
    Matcher matcher = ON_HOST.matcher(selector.value());
    return matcher.matches()
        ? new Selector(selector.kind(), matcher.group(2), selector.location())
        : selector;
  }
}
