package dev.topo.simulator.advice;

import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.operation.Call.CollectiveCall;
import java.util.List;

/**
 * Graphs with which calls are predicted to be faster than with those of NCCL's search.
 *
 * @param graphs the graphs of each node of the job
 * @param file the text of a file for NCCL_GRAPH_FILE
 * @param channelsBefore channels of a communicator with the graphs of NCCL's search
 * @param channelsAfter channels of a communicator with the file; each takes an SM of a call that
 *     uses all
 * @param calls the predicted times of the requested calls
 * @param before share of the bound of the graphs of NCCL's search
 * @param after share of the bound of these graphs
 * @param sameOrders whether all channels are those of NCCL's search, in other numbers or at other
 *     speeds: a setting of the number of channels may have the same effect
 */
public record BetterGraph(
    NodeGraphs graphs,
    String file,
    int channelsBefore,
    int channelsAfter,
    List<CallGain> calls,
    LinkShare before,
    LinkShare after,
    boolean sameOrders)
    implements GraphAnswer {
  public BetterGraph {
    calls = List.copyOf(calls);
  }

  /**
   * The predicted times of a call.
   *
   * @param beforeUs its time with the graphs of NCCL's search
   * @param channelsUs its time with the graphs of NCCL's search on as many channels as the file
   *     gives, by NCCL_MIN_NCHANNELS
   * @param afterUs its time with the file
   */
  public record CallGain(CollectiveCall call, double beforeUs, double channelsUs, double afterUs) {
    /** The gain of the call's bandwidth in percent; negative for a loss. */
    public double gainPercent() {
      return 100 * (beforeUs / afterUs - 1);
    }
  }
}
