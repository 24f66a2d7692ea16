package dev.topo.probe.plugin;

import java.util.Optional;

/**
 * What becomes of one plugin.
 *
 * @param asked the name that NCCL goes by
 * @param named whether a setting names it; else it is NCCL's default
 * @param state what becomes of it
 * @param detail how the loader came to the file and which function NCCL takes, or why there is none
 */
public record Plugin(
    PluginKind kind,
    String asked,
    boolean named,
    State state,
    Optional<String> path,
    String detail) {
  /** What becomes of a plugin. */
  public enum State {
    /** NCCL loads it. */
    LOADED,
    /** NCCL takes it from the network plugin's file. */
    IN_NET_PLUGIN,
    /** NCCL looks for it in the program itself ({@code STATIC_PLUGIN}). */
    STATIC,
    /** A setting says that there is none. */
    OFF,
    /** There is no such file. */
    NOT_FOUND,
    /** There is a file, without a function that NCCL knows or with a library missing. */
    UNUSABLE
  }
}
