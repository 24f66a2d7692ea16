package dev.topo.search.topology;

import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Builds all topologies, from files, documents and trees of elements. Reads each file once, even a
 * pipe, and builds the topology of a file once for each selection of GPUs and version. Thread-safe.
 */
public final class TopologySource {
  private final Inputs inputs;
  private final UnknownElements unknown;
  private final BiFunction<Path, XmlDocument, XmlDocument> completion;

  private final Map<Path, byte[]> contents = new ConcurrentHashMap<>();
  private final Map<Path, XmlDocument> documents = new ConcurrentHashMap<>();
  private final Map<Domain, XmlDocument> domains = new ConcurrentHashMap<>();
  private final Map<Part, Topology> topologies = new ConcurrentHashMap<>();

  private record Domain(Path file, int hosts) {}

  private record Part(Path file, GpuSelection gpus, NcclProfile profile) {}

  private final RecentMap.Results<Source, Topology> earlier;

  /** All that a topology is built from. */
  public record Source(
      XmlDocument document, UnknownElements unknown, GpuSelection gpus, NcclProfile profile) {}

  /**
   * A source of machines as described by their files.
   *
   * @param inputs reads the files
   */
  public TopologySource(Inputs inputs, UnknownElements unknown) {
    this(inputs, unknown, (file, document) -> document, new RecentMap.Results<>(0));
  }

  /**
   * A source of machines that are completed after reading.
   *
   * @param inputs reads the files
   * @param completion completes the document of a file
   * @param earlier topologies that are not built again
   */
  public TopologySource(
      Inputs inputs,
      UnknownElements unknown,
      BiFunction<Path, XmlDocument, XmlDocument> completion,
      RecentMap.Results<Source, Topology> earlier) {
    this.inputs = inputs;
    this.unknown = unknown;
    this.completion = completion;
    this.earlier = earlier;
  }

  /**
   * The topology of a document that need not come from a file.
   *
   * @param diagnostics collects warnings about the document
   * @throws TopologyFormatException if it cannot be used
   */
  public static Topology build(
      XmlDocument document,
      UnknownElements unknown,
      GpuSelection gpus,
      NcclProfile profile,
      Diagnostics diagnostics) {
    return new TopologyReader(unknown, profile).map(document, gpus, diagnostics);
  }

  public static Topology build(
      XmlElement system,
      UnknownElements unknown,
      GpuSelection gpus,
      NcclProfile profile,
      Diagnostics diagnostics) {
    return build(
        new XmlDocument(List.of(), system, List.of()), unknown, gpus, profile, diagnostics);
  }

  /** Builds a topology with this source's treatment of unknown elements. */
  public Topology topology(
      XmlDocument document, GpuSelection gpus, NcclProfile profile, Diagnostics diagnostics) {
    Source source = new Source(document, unknown, gpus, profile);
    return earlier
        .find(source)
        .orElseGet(
            () -> {
              Topology built = build(document, unknown, gpus, profile, diagnostics);
              // What was noticed is said for each question.
              return diagnostics.list().isEmpty() ? earlier.keep(source, built) : built;
            });
  }

  public Topology topology(
      XmlElement system, GpuSelection gpus, NcclProfile profile, Diagnostics diagnostics) {
    return topology(new XmlDocument(List.of(), system, List.of()), gpus, profile, diagnostics);
  }

  /**
   * The topology of a file for a job on the selected GPUs.
   *
   * @param diagnostics collects warnings about the file at the first request for these GPUs
   * @throws TopologyFormatException if the file cannot be used
   */
  public Topology topology(
      Path file, GpuSelection gpus, NcclProfile profile, Diagnostics diagnostics) {
    XmlDocument document = document(file);
    return topologies.computeIfAbsent(
        new Part(file, gpus, profile), part -> topology(document, gpus, profile, diagnostics));
  }

  /**
   * The content of a file, unpacked if it is compressed by gzip.
   *
   * @throws TopologyFormatException if it is missing, not a file or too large
   */
  public byte[] bytes(Path file) {
    return content(file).clone();
  }

  private byte[] content(Path file) {
    return contents.computeIfAbsent(file, name -> new XmlReader().bytes(name, inputs));
  }

  /**
   * The document of a file, completed.
   *
   * @throws TopologyFormatException if it cannot be read
   */
  public XmlDocument document(Path file) {
    return documents.computeIfAbsent(
        file, name -> completion.apply(name, new XmlReader().read(content(name), name.toString())));
  }

  /**
   * The document of a machine: the host of a file, or an NVLink domain of {@code hosts} such hosts.
   *
   * @throws TopologyFormatException if the file cannot be read
   */
  public XmlDocument document(Path file, int hosts) {
    return hosts == 1
        ? document(file)
        : domains.computeIfAbsent(
            new Domain(file, hosts), domain -> NvlinkDomain.ofEqual(document(file), hosts));
  }

  /**
   * Treatment of a topology with an element that NCCL does not know, which is probably a typing
   * mistake.
   */
  public enum UnknownElements {
    /** The topology is rejected, as results would silently lack the element. */
    REJECTED,
    /** The element is ignored with a warning; NCCL ignores it silently. */
    IGNORED
  }
}
