package dev.topo.inspect.difference;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.alg.matching.KuhnMunkresMinimalWeightBipartitePerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * Assigns rows to columns at the least total cost, by the Hungarian method (Kuhn, "The Hungarian
 * method for the assignment problem", 1955) of JGraphT, O(columns³). Among assignments of equal
 * cost it takes one with the least sum of squared distances between row and column, so that equal
 * items keep their order. Deterministic. Exact while cost times columns³ is below 2^53.
 */
public final class Assignment {
  private Assignment() {}

  /**
   * Returns the column assigned to each row; columns are distinct.
   *
   * @param cost cost by row and column, with at least as many columns as rows
   */
  public static int[] leastCost(long[][] cost) {
    int rows = cost.length;
    int columns = rows == 0 ? 0 : cost[0].length;
    if (columns < rows) {
      throw new IllegalArgumentException(
          rows + " rows and " + columns + " columns: expected as many or more");
    }
    if (columns < 2) {
      return new int[rows];
    }
    if (columns == 2) {
      return ofTwo(cost);
    }
    Graph<Integer, DefaultWeightedEdge> pairs =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    Set<Integer> left = vertices(pairs, 0, columns);
    Set<Integer> right = vertices(pairs, columns, 2 * columns);
    double unit = Math.pow(columns, 3);
    for (int row = 0; row < columns; row++) {
      for (int column = 0; column < columns; column++) {
        // Dummy rows take the remaining columns at no cost.
        double distance = row - column;
        pairs.setEdgeWeight(
            pairs.addEdge(row, columns + column),
            row < rows ? cost[row][column] * unit + distance * distance : 0);
      }
    }
    int[] columnOf = new int[columns];
    for (DefaultWeightedEdge pair :
        new KuhnMunkresMinimalWeightBipartitePerfectMatching<>(pairs, left, right).getMatching()) {
      columnOf[pairs.getEdgeSource(pair)] = pairs.getEdgeTarget(pair) - columns;
    }
    return Arrays.copyOf(columnOf, rows);
  }

  /**
   * Assignment for two columns, by far the most frequent case, as parts of machines come in pairs.
   */
  private static int[] ofTwo(long[][] cost) {
    boolean isOne = cost.length == 1;
    boolean crosses =
        isOne ? cost[0][1] < cost[0][0] : cost[0][1] + cost[1][0] < cost[0][0] + cost[1][1];
    int first = crosses ? 1 : 0;
    return isOne ? new int[] {first} : new int[] {first, 1 - first};
  }

  private static Set<Integer> vertices(
      Graph<Integer, DefaultWeightedEdge> graph, int from, int to) {
    Set<Integer> vertices = new LinkedHashSet<>();
    for (int vertex = from; vertex < to; vertex++) {
      graph.addVertex(vertex);
      vertices.add(vertex);
    }
    return vertices;
  }
}
