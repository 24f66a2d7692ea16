package dev.topo.simulator.advice;

import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.operation.Call.CollectiveCall;
import java.util.List;

/**
 * Graphs that are predicted to make calls faster than those of NCCL's search do.
 *
 * @param graphs the graphs of each node of the job
 * @param file the text of a file for NCCL_GRAPH_FILE
 * @param channelsBefore number of channels of a communicator with the graphs of NCCL's search
 * @param channelsAfter number of channels of a communicator with the file; a call that uses all of
 *     them takes an SM for each
 * @param calls the predicted times of the requested calls
 * @param before share of the bound that the graphs of NCCL's search reach
 * @param after share of the bound that these graphs reach
 * @param sameOrders whether all channels occur in NCCL's search, only in other numbers or at other
 *     speeds, so that setting the number of channels may have the same effect
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
