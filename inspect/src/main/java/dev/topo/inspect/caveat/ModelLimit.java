package dev.topo.inspect.caveat;

import java.util.Locale;

/**
 * The limits of the model that answers are marked with. {@code docs/limits.md} lists the same
 * texts.
 */
public enum ModelLimit {
  /** A release between two that have rules. */
  NCCL_RELEASE(
      "the release has no rules of its own; the answer is by those of the nearest older one",
      "compare with the next newer rules, too (topo --nccl list)"),
  /** A release that is newer than all rules. */
  NEWER_NCCL(
      "the release is newer than all rules; the answer is by the newest",
      "measure with the release, or compare its log (topo tune --against)"),
  /** A job that a release has no rules for. */
  NO_RULES(
      "topo has no rules for this job by that release; what NCCL does then is not known",
      "compare releases that have them (topo --nccl list), or measure"),
  /** NVLink between the nodes of a rack. */
  NVLINK_DOMAIN(
      "the nodes may be one NVLink domain (MNNVL); the answer is for nodes that only the network joins",
      "state the nodes of a domain with --nvlink-domain N or one FILE of all of them"
          + " (NCCL_TOPO_DUMP_FILE of a job on them), for separate nodes set NCCL_MNNVL_ENABLE=0"),
  /** NVLink domains by the rules of a release for which there is nothing to compare with. */
  DOMAIN_RULES(
      "how this release treats NVLink domains of several hosts was not compared with its own code",
      "compare with a log of a job on the domain (topo tune --against)"),
  /** Sends and receives by the rules of a release that was not compared with real runs. */
  TRANSFER_RULES(
      "how this release divides sends and receives is by its source and was not compared with real GPUs",
      "compare with a profile of the job (blocks of the kernels)"),
  /** A release that detects a machine otherwise than a probe. */
  DETECTION(
      "the machine is shown as NCCL 2.28.9 detects it; this release has these attributes besides or otherwise, from"
          + " 2.30.7 on the speed and width that NVML reports of the links of GPUs at that moment",
      "take NCCL_TOPO_DUMP_FILE of a job with the release"),
  /** Ids that make other NVLink domains than the job states. */
  DOMAIN_IDS(
      "NCCL_MNNVL_UUID and NCCL_MNNVL_CLIQUE_ID may join the NVLink domains of the job or divide them (by rack with"
          + " -2); the answer is for the domains as stated",
      "state with --nvlink-domain the nodes whose GPUs have equal ids (NCCL's log: fabric UUID and cliqueId)"),
  /** GPUs that have NVLinks by their kind, and none in the file. */
  MISSING_NVLINK(
      "such GPUs have NVLinks, which NCCL adds at run time; the file has none, and the answer is without them",
      "complete the file with --assume gpu=" + ModelLimit.MODEL + ",nvlink=nvswitch"),
  /** GPUs that probably have NVLinks, and none in the file. */
  POSSIBLE_NVLINK(
      "such GPUs usually have NVLinks, which NCCL adds at run time; the file has neither NVLinks nor device ids,"
          + " and the answer is without NVLink",
      "complete the file with --assume gpu="
          + ModelLimit.MODEL
          + ",nvlink=nvswitch or nvlink=none"),
  /** Ports of a card that NCCL uses as one device. */
  NIC_MERGE(
      "NCCL merges the ports of a card into one device if its network can (NCCL_NET_MERGE_LEVEL, NCCL_IB_MERGE_NICS);"
          + " the answer is for separate ports, as no setting states it",
      "set NCCL_IB_MERGE_NICS=1 in the job for merged ports (InfiniBand, RoCE), 0 for separate ones"),
  /** Ports that are one device by NCCL's rules. */
  MERGED_PORTS(
      "NCCL uses these ports as one device if its network is InfiniBand or RoCE of one kind, in the first communicator"
          + " of a process for each GPU; compared with NCCL's code, not with real cards",
      "compare with NCCL's log (Made virtual device); leave the settings of merging out if the network does not merge"),
  /** Several communicators of a job on the same nodes. */
  CONCURRENT_GROUPS(
      "groups on the same nodes share NICs and links if they communicate at the same time; the answer for each is"
          + " as if it had all of them",
      "topo predict --groups-at-once split, or measure all groups at once"),
  /** GPUDirect RDMA in a virtual machine. */
  GUEST_GPUDIRECT(
      "whether GPUDirect RDMA works in the virtual machine, and its speed there (IOMMU, ACS, ATS), is not modelled;"
          + " choice and busbw may be worse than shown",
      "check in the guest that NCCL's log has GDRDMA, and measure"),
  /** Data between GPU and network through host memory. */
  NO_GPUDIRECT(
      "without GPUDirect RDMA data is copied through host memory; the cost of the copies is not modelled, choice and"
          + " busbw may be worse than shown",
      "measure between nodes, or enable GPUDirect RDMA"),
  /** Settings that change what NCCL does, but not the answer. */
  SETTING(
      "changes what NCCL does and is not modelled; the answer is the one without it",
      "measure with the setting; for other ports use a file that has them (topo probe with the setting)");

  /** The place of a GPU's name in a remedy. */
  static final String MODEL = "MODEL";

  private final String message;
  private final String remedy;

  ModelLimit(String message, String remedy) {
    this.message = message;
    this.remedy = remedy;
  }

  /** The name in outputs: {@code nvlink-domain}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The part that is not modelled. */
  String message() {
    return message;
  }

  /** The remedy; MODEL is a placeholder for the name of a GPU. */
  String remedy() {
    return remedy;
  }

  Caveat about(String subject) {
    return new Caveat(id(), subject, message, remedy);
  }

  Caveat about(String subject, String model) {
    return new Caveat(id(), subject, message, remedy.replace(MODEL, model));
  }
}
