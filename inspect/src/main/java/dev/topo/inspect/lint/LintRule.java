package dev.topo.inspect.lint;

import dev.topo.model.Labels;
import dev.topo.model.io.Diagnostic.Severity;

/**
 * Rules of lint. Their texts are in the resource {@code rules.txt}: severity, NCCL's reaction, the
 * fix, and the NCCL function that the rule is taken from.
 */
public enum LintRule {
  FILE_MISSING,
  EMPTY_FILE,
  NOT_XML,
  TRUNCATED,
  XML_DECLARATION,
  BYTE_ORDER_MARK,
  DOCUMENT_TYPE,
  TAB_BETWEEN_ELEMENTS,
  BREAK_IN_TAG,
  BLANK_IN_TAG,
  BLANK_BEFORE_EQUALS,
  BLANK_MISSING,
  EXTRA_BLANK,
  UNQUOTED_VALUE,
  TOO_LONG,
  TEXT_BETWEEN_ELEMENTS,
  COMMENT_WITH_EQUALS,
  WRONG_CLOSING_TAG,
  BAD_TAG,
  CHARACTER_REFERENCE,
  TOO_MANY_ELEMENTS,
  TOO_MANY_CHILDREN,
  TOO_MANY_ATTRIBUTES,
  DUPLICATE_ATTRIBUTE,
  UNKNOWN_ELEMENT,
  MISPLACED_ELEMENT,
  UNKNOWN_ATTRIBUTE,
  WRONG_ROOT,
  VERSION,
  NOT_A_NUMBER,
  OCTAL_NUMBER,
  NUMBER_TOO_LARGE,
  SECOND_SYSTEM,
  MISSING_ATTRIBUTE,
  MISSING_BESIDE_NIC,
  FILLED_AT_RUN_TIME,
  NO_GPU,
  NIC_BESIDE_FIRST_DEVICE,
  EMPTY_BRANCH,
  NEAR_ELEMENT_LIMIT,
  UNEQUAL_WHEN_FUSED,
  GPU_FUNCTION,
  DEVICE_ORDER,
  GPU_AND_NIC,
  SECOND_DEVICE,
  BELOW_ENDPOINT,
  BUS_ID_FORM,
  DUPLICATE_BUS_ID,
  DUPLICATE_NUMA_ID,
  DUPLICATE_GPU_DEV,
  GPU_DEV_NEGATIVE,
  DUPLICATE_RANK,
  DUPLICATE_NET_DEV,
  DUPLICATE_NET_NAME,
  VIRTUAL_NET_REPEATED,
  NET_WITHOUT_NAME,
  SHARED_PORT,
  KEEP,
  CPU_ARCH,
  CPU_VENDOR,
  AFFINITY_FORM,
  NUMA_UNKNOWN,
  SHARED_CPUS,
  MANY_HOSTS,
  PCI_CLASS,
  LINK_SPEED,
  LINK_SPEED_EMPTY,
  LINK_WIDTH,
  LINK_WIDTH_ZERO,
  GPU_LINK_NARROW,
  GPU_SM,
  GPU_SM_MIXED,
  NET_SPEED,
  NET_SPEED_UNIT,
  NVLINK_COUNT,
  NVLINK_MANY,
  NVLINK_TCLASS,
  NVLINK_NO_TCLASS,
  NVLINK_DANGLING,
  NVLINK_SELF,
  NVLINK_ONE_SIDED,
  NVLINK_UNEQUAL_ENDS,
  NVLINK_MISSING,
  NVLINK_UNEVEN,
  NVLINK_AT_RUN_TIME,
  NVLINK_DOMAIN,
  C2C_VALUE,
  PCILINK_DANGLING,
  PCILINK_PARENT,
  FLAT_TREE,
  NICS_ON_ONE_CPU,
  CPU_WITHOUT_NIC,
  MACHINE_NO_SUCH_GPU,
  MACHINE_GPU_MISSING,
  MACHINE_NO_SUCH_NET,
  MACHINE_NET_MISSING,
  MACHINE_ELSEWHERE,
  MACHINE_NUMA,
  MACHINE_LINK,
  MACHINE_NVLINK,
  MACHINE_SM,
  MACHINE_NET_VALUE,
  MACHINE_GDR_DISTANCE,
  GRAPH_MISSING_ATTRIBUTE,
  GRAPH_ID,
  GRAPH_PATTERN,
  GRAPH_PATH_TYPE,
  GRAPH_CHANNEL_COUNT,
  GRAPH_TOO_MANY_CHANNELS,
  GRAPH_GPU_COUNT,
  GRAPH_GPU_TWICE,
  GRAPH_NO_SUCH_GPU,
  GRAPH_NO_SUCH_NET,
  GRAPH_NETS,
  GRAPH_DEV_DECIMAL,
  CONF_NO_EQUALS,
  CONF_EXPORT,
  CONF_BLANK,
  CONF_QUOTES,
  CONF_LINE_END,
  CONF_COMMENT,
  CONF_TWICE,
  CONF_UNKNOWN,
  CONF_VALUE,
  CONF_HARMFUL,
  CONF_TOO_LONG,
  CONF_CONTRADICTION,
  CONF_GRAPH_FILE,
  CONF_TOPOLOGY,
  TUNER_ROW,
  TUNER_ALGORITHM,
  TUNER_NEVER,
  TUNER_DEAD,
  TUNER_OVERLAP,
  TUNER_CHANNELS,
  TUNER_TIME;

  private RuleText text() {
    return RuleText.of(id());
  }

  /** Name of the rule in outputs: {@code truncated}. Stable, because scripts depend on it. */
  public String id() {
    return Labels.of(this);
  }

  /** The kind of input that the rule checks. */
  public Subject subject() {
    return text().subject();
  }

  /** The usual severity of its findings. */
  public Severity severity() {
    return text().severity();
  }

  /** Kind of NCCL's reaction. */
  public NcclOutcome outcome() {
    return text().outcome();
  }

  /** True if all findings in a file are reported as one. */
  boolean isReportedOnce() {
    return text().isReportedOnce();
  }

  public String title() {
    return text().title();
  }

  /** NCCL's reaction, as the predicate after "NCCL". */
  public String nccl() {
    return text().nccl();
  }

  public String fix() {
    return text().fix();
  }

  /** Function in NCCL's source that the rule is taken from: {@code src/graph/xml.cc#xmlGetNode}. */
  public String source() {
    return text().source();
  }
}
