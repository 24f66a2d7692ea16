package dev.topo.inspect.caveat;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import java.util.Locale;
import java.util.Optional;

/** Limits of the model that answers report. {@code docs/limits.md} lists the same texts. */
public enum ModelLimit {
  /** A release between two with rules. */
  NCCL_RELEASE(
      "the release has no rules of its own; the answer is by those of the nearest older one",
      SpecText.of("compare with the next newer rules, too (topo %s list)", SpecField.RELEASE)),
  /** A release newer than all rules. */
  NEWER_NCCL(
      "the release is newer than all rules; the answer is by the newest",
      SpecText.of(
          "measure with the release, or compare its log (topo tune %s)", SpecField.AGAINST)),
  /** A release whose rules were read but whose answers were not compared. */
  READ_RULES(
      "the choice of algorithm and protocol is as its tuning code answers; graphs and connections are by the rules of"
          + " 2.30.7 and what was read of the release, its answers were not compared",
      SpecText.of("compare with a log of the release (topo tune %s)", SpecField.AGAINST)),
  /** A job for which a release has no rules. */
  NO_RULES(
      "topo has no rules for this job by that release; what NCCL does then is not known",
      SpecText.of("compare releases that have them (topo %s list), or measure", SpecField.RELEASE)),
  /** A machine by name. */
  MACHINE_NAME(
      "the machine is known by its name only: devices and links are those that topo ships for it, from public facts;"
          + " bus ids and NUMA nodes are invented",
      "take the file of topo probe on such a machine"),
  /** NVLink between the nodes of a rack. */
  NVLINK_DOMAIN(
      "the nodes may be one NVLink domain (MNNVL); the answer is for nodes that only the network joins",
      SpecText.of(
          "state the nodes of a domain with %s N or one FILE of all of them"
              + " (NCCL_TOPO_DUMP_FILE of a job on them), for separate nodes set NCCL_MNNVL_ENABLE=0",
          SpecField.NVLINK_DOMAIN)),
  /** NVLink domains under the rules of a release without reference data. */
  DOMAIN_RULES(
      "how this release treats NVLink domains of several hosts was not compared with its own code",
      SpecText.of("compare with a log of a job on the domain (topo tune %s)", SpecField.AGAINST)),
  /** Sends and receives under the rules of a release that was not compared with real runs. */
  TRANSFER_RULES(
      "how this release divides sends and receives is by its source and was not compared with real GPUs",
      "compare with a profile of the job (blocks of the kernels)"),
  /** Symmetric kernels from source files that are not all from the release. */
  WINDOW_RULES(
      "symmetric kernels follow source files that match this release, not all of its own; when the copy engine runs"
          + " follows NCCL 2.31; neither was compared with the release",
      "compare with NCCL's log (NCCL_DEBUG_SUBSYS=TUNING)"),
  /** A release that detects a machine differently from a probe. */
  DETECTION(
      "the machine is shown as NCCL 2.28.9 detects it; this release has these attributes besides or otherwise, from"
          + " 2.30.7 on the speed and width that NVML reports of the links of GPUs at that moment",
      "take NCCL_TOPO_DUMP_FILE of a job with the release"),
  /** Machines of several kinds in one job. */
  MIXED_MACHINES(
      "no time of such a job was published: the slowest machine counts, no range is known; NCCL may hang where ranks"
          + " see different machines",
      "compare NCCL's logs of ranks on each machine"),
  /** Ids that define other NVLink domains than the job states. */
  DOMAIN_IDS(
      "NCCL_MNNVL_UUID and NCCL_MNNVL_CLIQUE_ID may join the NVLink domains of the job or divide them (by rack with"
          + " -2); the answer is for the domains as stated",
      SpecText.of(
          "state with %s the nodes whose GPUs have equal ids (NCCL's log: fabric UUID and cliqueId)",
          SpecField.NVLINK_DOMAIN)),
  /** NVLinks of GPUs newer than the rules. */
  NEWER_GPU(
      "this release has another bandwidth for NVLinks of Rubin GPUs; the answer is that of Blackwell",
      SpecText.of("compare with a log of the release (topo tune %s)", SpecField.AGAINST)),
  /** GPUs newer than a release. */
  OLD_RELEASE(
      "the release is older than such GPUs (Blackwell is known from 2.25.1 on): it takes them for Hopper and has no"
          + " kernels of their own; no run of it on them was compared",
      "use NCCL 2.25.1 or newer"),
  /** GPUs whose model always has NVLinks, with none in the file. */
  MISSING_NVLINK(
      "such GPUs have NVLinks, which NCCL adds at run time; the file has none, and the answer is without them",
      SpecText.of(
          "complete the file with %s gpu=%s,nvlink=nvswitch", SpecField.ASSUME, ModelLimit.MODEL)),
  /** GPUs whose model probably has NVLinks, with none in the file. */
  POSSIBLE_NVLINK(
      "such GPUs usually have NVLinks, which NCCL adds at run time; the file has neither NVLinks nor device ids,"
          + " and the answer is without NVLink",
      SpecText.of(
          "complete the file with %s gpu=%s,nvlink=nvswitch or nvlink=none",
          SpecField.ASSUME, ModelLimit.MODEL)),
  /** Devices in another order than in their file. */
  DEVICE_ORDER(
      "NCCL joins what each rank keeps of a file, its GPU and all NICs, in rank order, so that these devices change"
          + " places; the order in which it detects a machine without NCCL_TOPO_FILE may be another one",
      "without NCCL_TOPO_FILE take a dump (NCCL_TOPO_DUMP_FILE), which has NCCL's order"),
  /**
   * GPUs of a model that includes cards without P2P over PCI, in a file that does not identify the
   * card.
   */
  UNKNOWN_P2P(
      "whether the driver lets such GPUs access each other over PCI depends on the card (GeForce: no), and the file has"
          + " neither device ids nor the driver's answer; the answer is with P2P",
      "take the file of topo probe, or set NCCL_P2P_DISABLE=1 for cards without"),
  /** Ports of a card that NCCL merges into one device. */
  NIC_MERGE(
      "NCCL merges the ports of a card into one device if its network can (NCCL_NET_MERGE_LEVEL, NCCL_IB_MERGE_NICS);"
          + " the answer is for separate ports, as no setting states it",
      "set NCCL_IB_MERGE_NICS=1 in the job for merged ports (InfiniBand, RoCE), 0 for separate ones"),
  /** Ports that their card reports as one cable. */
  SHARED_PORT(
      "NCCL takes ports with one guid and number for one port, and so does the answer; newer dual-port cards report this"
          + " of two ports (NCCL issue 2097), which then carry up to twice as much",
      "if each port has a cable of its own, give them guids of their own in the file"),
  /** Ports that NCCL's rules merge into one device. */
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
  /** Settings with which some calls hang or have wrong data. */
  HARMFUL_SETTING(
      "some calls hang or their data is wrong with it; these have no time, others do",
      "take a value that topo lint accepts"),
  /** Memory of NCCL that an answer does not count. */
  MEMORY_PARTS("not in the figures: NCCL takes more than shown", "measure the steps with topo run"),
  /** Settings that change NCCL's behaviour but not the answer. */
  SETTING(
      "changes what NCCL does and is not modelled; the answer is the one without it",
      "measure with the setting; for other ports use a file that has them (topo probe with the setting)");

  /** Placeholder for a GPU's name in a remedy. */
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

  /** Name in outputs: {@code nvlink-domain}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Description of the part that is not modelled. */
  public String message() {
    return message;
  }

  /** Condition under which the answer holds at all; empty if it holds with less certainty. */
  Optional<String> condition() {
    return switch (this) {
      case NVLINK_DOMAIN -> Optional.of("unless NVLink joins the nodes");
      case MISSING_NVLINK, POSSIBLE_NVLINK -> Optional.of("without NVLink");
      case NO_GPUDIRECT -> Optional.of("without the copies through host memory");
      case NO_RULES -> Optional.of("as far as rules are known");
      default -> Optional.empty();
    };
  }

  /** Remedy; MODEL is a placeholder for the name of a GPU. */
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
