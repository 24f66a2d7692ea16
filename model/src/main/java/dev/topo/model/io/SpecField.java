package dev.topo.model.io;

/**
 * What a question about a job can state. Texts name it by a field, so that a library says "nodes"
 * where a command line says which option states them.
 */
public enum SpecField {
  ACTUAL("actual machine"),
  ADAPTIVE_ROUTING("adaptive routing"),
  AGAINST("measurements"),
  ALGORITHM("algorithm"),
  ASSUME("assumptions"),
  BUFFERS("buffers"),
  CALIBRATION("calibration"),
  CAPTURE("capture"),
  COLLECTIVE("collective"),
  CUDA_GRAPH("CUDA graph"),
  DATA_TYPE("data type"),
  DIFF("compared variants"),
  EDITED_NODES("edited nodes"),
  ESTIMATE("estimate"),
  FABRIC("switches"),
  FIX("fixes"),
  FORCE("forced pair"),
  GPUS("GPUs"),
  GROUPS_AT_ONCE("groups at once"),
  HOSTS("host names"),
  LOG("log"),
  MACHINE("machine"),
  MAP("device pairs"),
  NETWORK("network"),
  NODE("machines"),
  NODES("nodes"),
  NVLINK_DOMAIN("NVLink domain"),
  OPERATOR("reduction operator"),
  PER_SWITCH("cards per switch"),
  PROTOCOL("protocol"),
  RANKS("ranks"),
  RANKS_PER_PROCESS("GPUs per process"),
  RELEASE("release"),
  SHARD("shard"),
  SIZES("sizes"),
  SPLIT("groups"),
  TOPOLOGY("topology"),
  TRAFFIC("traffic"),
  TRY("trial"),
  VARIANT("variant"),
  VCPUS("CPUs of the guest"),
  WHY_NOT("alternative");

  private final String label;

  SpecField(String label) {
    this.label = label;
  }

  /** What it is called where no option states it: {@code NVLink domain}. */
  public String label() {
    return label;
  }
}
