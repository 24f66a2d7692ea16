package dev.topo.hw.library;

import java.util.Optional;

/**
 * A plugin and whether NCCL loads it.
 *
 * @param named whether a setting names it; else it is NCCL's default
 * @param detail how the loader came to the file and which function NCCL takes, or why there is none
 */
public record Plugin(
    PluginKind kind,
    String asked,
    boolean named,
    State state,
    Optional<String> path,
    String detail) {
  /** The states of a plugin. */
  public enum State {
    /** NCCL loads it. */
    LOADED,
    /** NCCL takes it from the network plugin's file. */
    IN_NET_PLUGIN,
    /** NCCL looks for it in the program itself ({@code STATIC_PLUGIN}). */
    STATIC,
    /** A setting disables it. */
    OFF,
    /** The file does not exist. */
    NOT_FOUND,
    /** The file has no entry point that NCCL supports, or needs a missing library. */
    UNUSABLE
  }
}
