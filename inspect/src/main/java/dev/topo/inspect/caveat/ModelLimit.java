package dev.topo.inspect.caveat;

import dev.topo.model.Labels;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Limits of the model that answers report. {@code docs/limits.md} lists the same texts. */
public enum ModelLimit {
  /** A release between two with rules. */
  NCCL_RELEASE,
  /** A release newer than all rules. */
  NEWER_NCCL,
  /** A release whose rules were read but whose answers were not compared. */
  READ_RULES,
  /** A job for which a release has no rules. */
  NO_RULES,
  /** A machine by name. */
  MACHINE_NAME,
  /** NVLink between the nodes of a rack. */
  NVLINK_DOMAIN,
  /** NVLink domains under the rules of a release without reference data. */
  DOMAIN_RULES,
  /** Sends and receives under the rules of a release that was not compared with real runs. */
  TRANSFER_RULES,
  /** Symmetric kernels from source files that are not all from the release. */
  WINDOW_RULES,
  /** A release that detects a machine differently from a probe. */
  DETECTION,
  /** Machines of several kinds in one job. */
  MIXED_MACHINES,
  /** Ids that define other NVLink domains than the job states. */
  DOMAIN_IDS,
  /** NVLinks of GPUs newer than the rules. */
  NEWER_GPU,
  /** GPUs newer than a release. */
  OLD_RELEASE,
  /** GPUs whose model always has NVLinks, with none in the file. */
  MISSING_NVLINK,
  /** GPUs whose model probably has NVLinks, with none in the file. */
  POSSIBLE_NVLINK,
  /** Devices in another order than in their file. */
  DEVICE_ORDER,
  /**
   * GPUs of a model that includes cards without P2P over PCI, in a file that does not identify the
   * card.
   */
  UNKNOWN_P2P,
  /** Ports of a card that NCCL merges into one device. */
  NIC_MERGE,
  /** Ports that their card reports as one cable. */
  SHARED_PORT,
  /** Ports that NCCL's rules merge into one device. */
  MERGED_PORTS,
  /** Several communicators of a job on the same nodes. */
  CONCURRENT_GROUPS,
  /** GPUDirect RDMA in a virtual machine. */
  GUEST_GPUDIRECT,
  /** Data between GPU and network through host memory. */
  NO_GPUDIRECT,
  /** Settings with which some calls hang or have wrong data. */
  HARMFUL_SETTING,
  /** Memory of NCCL that an answer does not count. */
  MEMORY_PARTS,
  /** Settings that change NCCL's behaviour but not the answer. */
  SETTING;

  /** Placeholder for a GPU's name in a remedy. */
  static final String MODEL = "MODEL";

  private static final Pattern FIELD = Pattern.compile("\\{(\\w+)\\}");

  private static final List<String> TEXTS = ResourceTable.lines(ModelLimit.class, "limits.txt");

  /** Name in outputs: {@code nvlink-domain}. */
  public String id() {
    return Labels.of(this);
  }

  /** Description of the part that is not modelled. */
  public String message() {
    return text(1);
  }

  private String text(int column) {
    return TEXTS.stream()
        .map(line -> line.split(" \\| ", -1))
        .filter(texts -> texts[0].equals(id()))
        .findFirst()
        .orElseThrow()[column];
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
    List<Object> fields = new ArrayList<>();
    String pattern =
        FIELD
            .matcher(text(2))
            .replaceAll(
                field -> {
                  String name = field.group(1);
                  fields.add(name.equals(MODEL) ? MODEL : SpecField.valueOf(name));
                  return "%s";
                });
    return new SpecText(pattern, fields);
  }

  Caveat about(String subject) {
    return new Caveat(id(), subject, message(), remedy());
  }

  Caveat about(String subject, String model) {
    return new Caveat(id(), subject, message(), remedy().replacing(MODEL, model));
  }
}
