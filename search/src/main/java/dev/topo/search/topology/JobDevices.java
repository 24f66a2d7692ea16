package dev.topo.search.topology;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.xml.Attributes;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of a file that take part in the job and the network ports, with the numbers that NCCL
 * would give them at run time where the file does not state them: ranks in the order of {@code
 * rank}, else of {@code dev}, else of the file; a GPU's missing {@code dev} is its place among the
 * GPUs, a port's its place among the ports.
 */
final class JobDevices {
  /** Larger than any device number. */
  private static final int MAX_DEV = 1 << 20;

  record GpuNumbers(int dev, int rank) {}

  private final IdentityHashMap<XmlElement, GpuNumbers> gpus = new IdentityHashMap<>();
  private final IdentityHashMap<XmlElement, Integer> nets = new IdentityHashMap<>();
  private final List<Integer> netDevs = new ArrayList<>();
  private final Set<XmlElement> used = Collections.newSetFromMap(new IdentityHashMap<>());

  private JobDevices() {}

  /** Finds the devices below a {@code <system>} element. */
  static JobDevices find(XmlElement system, GpuSelection selection) {
    List<XmlElement> gpuElements = new ArrayList<>();
    List<XmlElement> netElements = new ArrayList<>();
    collect(system, gpuElements, netElements);
    JobDevices devices = new JobDevices();
    devices.numberGpus(gpuElements, selection, system);
    devices.numberNets(netElements);
    devices.findUsed(system, false);
    return devices;
  }

  /**
   * Finds the used elements at and below an element: devices of the job, and branches that the file
   * marks to be kept with their content. The mark has no effect on GPUs and ports.
   */
  private boolean findUsed(XmlElement element, boolean isKept) {
    boolean isDevice = element.name().equals("gpu") || element.name().equals("net");
    boolean keep = isKept || (!isDevice && element.attribute("keep").equals(Optional.of("1")));
    boolean isUsed = keep || gpus.containsKey(element) || nets.containsKey(element);
    for (XmlElement child : element.elements()) {
      isUsed |= findUsed(child, keep);
    }
    if (isUsed) {
      used.add(element);
    }
    return isUsed;
  }

  /** Collects the GPUs, one in a device, and the ports where NCCL reads them. */
  private static void collect(XmlElement element, List<XmlElement> gpus, List<XmlElement> nets) {
    boolean hasGpu = false;
    for (XmlElement child : element.elements()) {
      if (Vocabulary.TOPOLOGY.isReadInside(element.name(), child.name())) {
        switch (child.name()) {
          case "gpu" -> {
            if (!hasGpu) {
              gpus.add(child);
            }
            hasGpu = true;
          }
          case "net" -> nets.add(child);
          default -> collect(child, gpus, nets);
        }
      }
    }
  }

  private record Candidate(XmlElement element, int dev, int statedRank) {}

  private void numberGpus(List<XmlElement> elements, GpuSelection selection, XmlElement system) {
    List<Candidate> candidates = new ArrayList<>();
    Set<Integer> devs = new TreeSet<>();
    for (int i = 0; i < elements.size(); i++) {
      Attributes attributes = new Attributes(elements.get(i));
      int dev =
          attributes.has("dev") ? attributes.count("dev", MAX_DEV) : attributes.integer("rank", i);
      devs.add(dev);
      if (selection.contains(dev)) {
        candidates.add(new Candidate(elements.get(i), dev, attributes.integer("rank", -1)));
      }
    }
    for (int dev : selection.devs().orElse(Set.of())) {
      if (!devs.contains(dev)) {
        throw system.error("no gpu has dev=\"" + dev + "\", expected one of " + devs);
      }
    }
    candidates.sort(Comparator.comparingInt(order(candidates)));
    for (int rank = 0; rank < candidates.size(); rank++) {
      gpus.put(candidates.get(rank).element, new GpuNumbers(candidates.get(rank).dev, rank));
    }
  }

  private static ToIntFunction<Candidate> order(List<Candidate> candidates) {
    boolean allRanked = candidates.stream().allMatch(c -> c.statedRank >= 0);
    if (allRanked) {
      rejectEqualRanks(candidates);
      return Candidate::statedRank;
    }
    return Candidate::dev;
  }

  private static void rejectEqualRanks(List<Candidate> candidates) {
    Map<Integer, XmlElement> seen = new HashMap<>();
    for (Candidate candidate : candidates) {
      XmlElement other = seen.put(candidate.statedRank, candidate.element);
      if (other != null) {
        throw candidate.element.error(
            "attribute rank=\"%s\" is also that of the gpu %s, expected a rank of its own"
                .formatted(
                    candidate.statedRank, place(other.location(), candidate.element.location())));
      }
    }
  }

  static String place(SourceLocation location, SourceLocation from) {
    return location.file().equals(from.file()) ? "in line " + location.line() : "at " + location;
  }

  private void numberNets(List<XmlElement> elements) {
    for (int i = 0; i < elements.size(); i++) {
      Attributes attributes = new Attributes(elements.get(i));
      int dev = attributes.has("dev") ? attributes.count("dev", MAX_DEV) : i;
      nets.put(elements.get(i), dev);
      netDevs.add(dev);
    }
  }

  /** The device numbers of the ports, in their order in the file. */
  List<Integer> netDevs() {
    return List.copyOf(netDevs);
  }

  /** The numbers of a GPU; null if it is not in the job. */
  @Nullable GpuNumbers gpu(XmlElement element) {
    return gpus.get(element);
  }

  /** The device number of a port. */
  int netDev(XmlElement element) {
    Integer dev = nets.get(element);
    return dev == null ? -1 : dev;
  }

  /** Elements of the GPUs in the job, in the order of their ranks. */
  List<XmlElement> gpusByRank() {
    return gpus.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> entry.getValue().rank()))
        .map(Map.Entry::getKey)
        .toList();
  }

  boolean hasNoGpu() {
    return gpus.isEmpty();
  }

  /**
   * True if a device of the job is at or below an element, or the file marks it to be kept; NCCL
   * drops other branches ({@code ncclTopoTrimXml}).
   */
  boolean isUsed(XmlElement element) {
    return used.contains(element);
  }
}
