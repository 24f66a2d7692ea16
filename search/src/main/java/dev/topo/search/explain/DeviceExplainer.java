package dev.topo.search.explain;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LocalDevices;
import dev.topo.search.path.NicAccessFinder;
import dev.topo.search.path.NicAccessFinder.NicAccess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Explains which ports each GPU prefers, and whether and why it uses GPUDirect RDMA and PXN. */
public final class DeviceExplainer {
  private final Domain domain;
  private final Topology topology;
  private final NicAccessFinder finder;

  /** Creates an explainer for a domain whose paths were computed with these settings. */
  public DeviceExplainer(Domain domain, NcclSettings settings) {
    this.domain = domain;
    this.topology = domain.topology();
    this.finder = new NicAccessFinder(domain, settings);
  }

  public Explanation explain() {
    List<String> sentences = new ArrayList<>();
    if (topology.nets().isEmpty()) {
      sentences.add("The machine has no network port.");
    }
    for (int gpu = 0; gpu < topology.gpus().size() && !topology.nets().isEmpty(); gpu++) {
      gpu(gpu, sentences);
    }
    sentences.add("Path types in NCCL's log: " + domain.profile().paths().legend() + ".");
    return new Explanation("GPUs and ports", sentences);
  }

  private void gpu(int gpu, List<String> sentences) {
    LocalDevices locals = domain.paths().localDevices();
    int[] near = locals.netsNear(gpu);
    String name = DeviceNames.gpu(topology, gpu);
    int gpuNode = topology.indexes(NodeType.GPU)[gpu];
    int nearNode = topology.indexes(NodeType.NET)[near[0]];
    sentences.add(
        "%s prefers %s (%s, %s); its first port is %s."
            .formatted(
                name,
                Arrays.stream(near)
                    .mapToObj(net -> DeviceNames.net(topology, net))
                    .collect(Collectors.joining(", ")),
                DeviceNames.type(domain, finder.find(gpu, near[0]).used()),
                DeviceNames.gbps(domain.paths().bwGBps(gpuNode, nearNode)),
                DeviceNames.net(topology, locals.netFor(gpu, 0))));
    Map<String, List<String>> ports = new LinkedHashMap<>();
    for (int net = 0; net < topology.nets().size(); net++) {
      ports
          .computeIfAbsent(reason(finder.find(gpu, net), false), key -> new ArrayList<>())
          .add(DeviceNames.net(topology, net));
    }
    ports.forEach(
        (reason, names) ->
            sentences.add("  %s to %s: %s".formatted(name, String.join(", ", names), reason)));
  }

  /** Explains how a GPU reaches a port, both by index in the topology. */
  String reason(int gpu, int net) {
    return reason(finder.find(gpu, net), true);
  }

  private String reason(NicAccess access, boolean nameRelay) {
    return gdr(access) + "; " + pxn(access, nameRelay) + ".";
  }

  private String gdr(NicAccess access) {
    String distance = DeviceNames.type(domain, access.gdrDistance());
    String limit = DeviceNames.type(domain, access.gdrLimit());
    return switch (access.gdr()) {
      case ALLOWED -> "GDR on (" + distance + ", within the limit " + limit + ")";
      case TOO_FAR ->
          access.gdrDistance().isWithin(PathType.SYS)
              ? "GDR off (%s, farther than the limit %s; NCCL_NET_GDR_LEVEL=%s would allow it)"
                  .formatted(distance, limit, access.gdrDistance())
              : "GDR off (%s, there is no path from the GPU to the port; no NCCL_NET_GDR_LEVEL changes that, the farthest is SYS)"
                  .formatted(distance);
      case NIC_WITHOUT_GDR -> "GDR off (the port does not support it: gdr=\"0\")";
      case GPU_WITHOUT_GDR -> "GDR off (the GPU does not support it: gdr=\"0\")";
      case READ_OFF -> "GDR reads off";
    };
  }

  private String pxn(NicAccess access, boolean nameRelay) {
    return switch (access.pxn()) {
      case USED ->
          "PXN through %s (direct it would be %s)"
              .formatted(
                  nameRelay
                      ? DeviceNames.gpu(topology, access.relay().orElseThrow())
                      : "the GPU that drives it",
                  DeviceNames.type(domain, access.direct()));
      case OFF -> "PXN off (NCCL_PXN_DISABLE=1)";
      case IS_LOCAL -> "no PXN needed, it is the GPU that drives the port";
      case NO_LOCAL_GPU -> "no PXN, no GPU prefers the port";
      case LOCAL_GPU_TOO_FAR -> "no PXN, the GPU that drives the port is itself too far from it";
      case OTHER_HOST -> "no PXN, the GPU that drives the port is on another host";
      case NO_NVLINK -> "no PXN, no NVLink leads straight to the GPU that drives the port";
      case NOT_BETTER ->
          "no PXN, it would be no faster than the direct path (" + access.direct() + ")";
    };
  }
}
