package dev.topo.inspect.caveat;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import java.util.Locale;

/**
 * The limits of the model that answers are marked with. {@code docs/limits.md} lists the same
 * texts.
 */
public enum ModelLimit {
  /** A release between two that have rules. */
  NCCL_RELEASE(
      "the release has no rules of its own; the answer is by those of the nearest older one",
      SpecText.of("compare with the next newer rules, too (topo %s list)", SpecField.RELEASE)),
  /** A release that is newer than all rules. */
  NEWER_NCCL(
      "the release is newer than all rules; the answer is by the newest",
      SpecText.of(
          "measure with the release, or compare its log (topo tune %s)", SpecField.AGAINST)),
  /** A release whose rules were read, and whose answers were not compared. */
  READ_RULES(
      "the choice of algorithm and protocol is as its tuning code answers; graphs and connections are by the rules of"
          + " 2.30.7 and what was read of the release, its answers were not compared",
      SpecText.of("compare with a log of the release (topo tune %s)", SpecField.AGAINST)),
  /** A job that a release has no rules for. */
  NO_RULES(
      "topo has no rules for this job by that release; what NCCL does then is not known",
      SpecText.of("compare releases that have them (topo %s list), or measure", SpecField.RELEASE)),
  /** NVLink between the nodes of a rack. */
  NVLINK_DOMAIN(
      "the nodes may be one NVLink domain (MNNVL); the answer is for nodes that only the network joins",
      SpecText.of(
          "state the nodes of a domain with %s N or one FILE of all of them"
              + " (NCCL_TOPO_DUMP_FILE of a job on them), for separate nodes set NCCL_MNNVL_ENABLE=0",
          SpecField.NVLINK_DOMAIN)),
  /** NVLink domains by the rules of a release for which there is nothing to compare with. */
  DOMAIN_RULES(
      "how this release treats NVLink domains of several hosts was not compared with its own code",
      SpecText.of("compare with a log of a job on the domain (topo tune %s)", SpecField.AGAINST)),
  /** Sends and receives by the rules of a release that was not compared with real runs. */
  TRANSFER_RULES(
      "how this release divides sends and receives is by its source and was not compared with real GPUs",
      "compare with a profile of the job (blocks of the kernels)"),
  /** Kernels for symmetric windows by files that were not all those of the release. */
  WINDOW_RULES(
      "symmetric kernels follow source files that match this release, not all of its own; when the copy engine runs"
          + " follows NCCL 2.31; neither was compared with the release",
      "compare with NCCL's log (NCCL_DEBUG_SUBSYS=TUNING)"),
  /** A release that detects a machine otherwise than a probe. */
  DETECTION(
      "the machine is shown as NCCL 2.28.9 detects it; this release has these attributes besides or otherwise, from"
          + " 2.30.7 on the speed and width that NVML reports of the links of GPUs at that moment",
      "take NCCL_TOPO_DUMP_FILE of a job with the release"),
  /** Ids that make other NVLink domains than the job states. */
  DOMAIN_IDS(
      "NCCL_MNNVL_UUID and NCCL_MNNVL_CLIQUE_ID may join the NVLink domains of the job or divide them (by rack with"
          + " -2); the answer is for the domains as stated",
      SpecText.of(
          "state with %s the nodes whose GPUs have equal ids (NCCL's log: fabric UUID and cliqueId)",
          SpecField.NVLINK_DOMAIN)),
  /** NVLinks of GPUs that are newer than the rules. */
  NEWER_GPU(
      "this release has another bandwidth for NVLinks of Rubin GPUs; the answer is that of Blackwell",
      SpecText.of("compare with a log of the release (topo tune %s)", SpecField.AGAINST)),
  /** GPUs that have NVLinks by their kind, and none in the file. */
  MISSING_NVLINK(
      "such GPUs have NVLinks, which NCCL adds at run time; the file has none, and the answer is without them",
      SpecText.of(
          "complete the file with %s gpu=%s,nvlink=nvswitch", SpecField.ASSUME, ModelLimit.MODEL)),
  /** GPUs that probably have NVLinks, and none in the file. */
  POSSIBLE_NVLINK(
      "such GPUs usually have NVLinks, which NCCL adds at run time; the file has neither NVLinks nor device ids,"
          + " and the answer is without NVLink",
      SpecText.of(
          "complete the file with %s gpu=%s,nvlink=nvswitch or nvlink=none",
          SpecField.ASSUME, ModelLimit.MODEL)),
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
      SpecText.of(
          "topo predict %s split, or measure all groups at once", SpecField.GROUPS_AT_ONCE)),
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
  /** Memory that NCCL takes and that an answer does not count. */
  MEMORY_PARTS("not in the figures: NCCL takes more than shown", "measure the steps with topo run"),
  /** Settings that change what NCCL does, but not the answer. */
  SETTING(
      "changes what NCCL does and is not modelled; the answer is the one without it",
      "measure with the setting; for other ports use a file that has them (topo probe with the setting)");

  /** The place of a GPU's name in a remedy. */
  static final String MODEL = "MODEL";

  private final String message;
  private final SpecText remedy;

  ModelLimit(String message, String remedy) {
    this(message, SpecText.of("%s", remedy));
  }

  ModelLimit(String message, SpecText remedy) {
    this.message = message;
    this.remedy = remedy;
  }

  /** The name in outputs: {@code nvlink-domain}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The part that is not modelled. */
  public String message() {
    return message;
  }

  /** The remedy; MODEL is a placeholder for the name of a GPU. */
  public SpecText remedy() {
    return remedy;
  }

  Caveat about(String subject) {
    return new Caveat(id(), subject, message, remedy);
  }

  Caveat about(String subject, String model) {
    return new Caveat(id(), subject, message, remedy.replacing(MODEL, model));
  }
}
