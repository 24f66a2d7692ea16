package dev.topo.model.io;

/**
 * What a question about a job can state. Texts name it by a field, so that a library says "nodes"
 * where a command line says which option states them.
 */
public enum SpecField {
  ACTUAL("actual machine"),
  ADAPTIVE_ROUTING("adaptive routing"),
  AGAINST("measurements"),
  ASSUME("assumption"),
  BUFFERS("buffers"),
  CALIBRATION("calibration"),
  COLLECTIVE("collective"),
  CUDA_GRAPH("CUDA graph"),
  DIFF("compared variants"),
  EDITED_NODES("edited nodes"),
  FABRIC("switches"),
  FORCE("forced pair"),
  GPUS("GPUs"),
  GROUPS_AT_ONCE("groups at once"),
  HOSTS("host names"),
  LAUNCH_US("launch time"),
  MACHINE("machine"),
  MAP("device pairs"),
  NETWORK("network"),
  NODE("machines"),
  NODES("nodes"),
  NVLINK_DOMAIN("NVLink domain"),
  PER_SWITCH("cards per switch"),
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
