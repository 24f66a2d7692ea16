package dev.topo.hw.library;

import java.util.Optional;

/**
 * Plugin, and whether NCCL loads it.
 *
 * @param named whether a setting names it; otherwise it is NCCL's default
 * @param detail the loader's search step and the function that NCCL uses, or the reason why there
 *     is none
 */
public record Plugin(
    PluginKind kind,
    String asked,
    boolean named,
    State state,
    Optional<String> path,
    String detail) {
  /** States of a plugin. */
  public enum State {
    /** NCCL loads the plugin. */
    LOADED,
    /** NCCL finds the plugin in the network plugin's file. */
    IN_NET_PLUGIN,
    /** NCCL searches the program itself ({@code STATIC_PLUGIN}). */
    STATIC,
    /** A setting disables the plugin. */
    OFF,
    /** The file does not exist. */
    NOT_FOUND,
    /** The file has no entry point that NCCL supports, or needs a missing library. */
    UNUSABLE
  }
}
