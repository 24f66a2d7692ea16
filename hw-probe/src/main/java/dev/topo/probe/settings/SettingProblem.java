package dev.topo.probe.settings;

/**
 * Something about a setting that is probably not meant.
 *
 * @param code stable name of the kind of problem
 * @param grave whether it probably is a mistake; else it is only good to know
 * @param text where it is and what NCCL makes of it, one line
 * @param advice what to do
 */
public record SettingProblem(String code, boolean grave, String text, String advice) {}
