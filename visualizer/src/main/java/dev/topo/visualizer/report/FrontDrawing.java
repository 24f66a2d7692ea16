package dev.topo.visualizer.report;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.PlainNumber;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws designs by node cost and speed: a dot for each, and the Pareto front as a line. Not painted
 * by JFreeChart, so that each dot has a tooltip with its design and the style of the page, and no
 * font of the host is needed.
 */
final class FrontDrawing {
  private static final double WIDTH = 860;
  private static final double HEIGHT = 380;
  private static final double LEFT = 56;
  private static final double RIGHT = 24;
  private static final double TOP = 28;
  private static final double BOTTOM = 44;

  /** Maximum number of dots; more cannot be distinguished. */
  private static final int MAX_DOTS = 5000;

  private final SweepAnswer answer;
  private final List<ComparedDesign> shown;
  private final double minCost;
  private final double maxCost;

  private FrontDrawing(SweepAnswer answer) {
    this.answer = answer;
    this.shown = answer.ranked().stream().limit(MAX_DOTS).toList();
    this.minCost = shown.stream().mapToDouble(answer::cost).min().orElse(0);
    this.maxCost = shown.stream().mapToDouble(answer::cost).max().orElse(1);
  }

  /** Returns the drawing as an SVG element. */
  static Element of(SweepAnswer answer) {
    return new FrontDrawing(answer).svg();
  }

  private double x(double cost) {
    double fraction = maxCost > minCost ? (cost - minCost) / (maxCost - minCost) : 0.5;
    return LEFT + 20 + fraction * (WIDTH - LEFT - RIGHT - 40);
  }

  private static double y(double speed) {
    return TOP + (1 - speed) * (HEIGHT - TOP - BOTTOM);
  }

  private static String number(double value) {
    return TextWriter.format("%.1f", value);
  }

  private Element svg() {
    List<Element> parts = new ArrayList<>();
    for (int i = 0; i <= 4; i++) {
      double speed = i / 4.0;
      parts.add(line(LEFT, y(speed), WIDTH - RIGHT, y(speed)).as("grid"));
      parts.add(text(LEFT - 6, y(speed) + 4, "end", TextWriter.format("%.2f", speed)));
    }
    parts.add(text(x(minCost), HEIGHT - BOTTOM + 18, "middle", cost(minCost)));
    if (maxCost > minCost) {
      parts.add(text(x(maxCost), HEIGHT - BOTTOM + 18, "middle", cost(maxCost)));
    }
    parts.add(
        text(
            (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 6,
            "middle",
            answer.hasPrices() ? "price of a node" : "network cards of a node"));
    parts.add(text(LEFT, 12, "start", "speed, 1 is the fastest"));
    List<ComparedDesign> front = answer.front();
    parts.add(
        Element.of("polyline")
            .as("front")
            .with(
                "points",
                QuantityFormat.joined(
                    " ",
                    front,
                    design -> number(x(answer.cost(design))) + "," + number(y(speed(design))))));
    shown.forEach(design -> parts.add(dot(design, front.contains(design))));
    return Element.of("svg", parts)
        .as("sweep-front")
        .with("viewBox", "0 0 " + (int) WIDTH + " " + (int) HEIGHT)
        .with("width", String.valueOf((int) WIDTH))
        .with("height", String.valueOf((int) HEIGHT))
        .with("role", "img")
        .with("aria-label", "Designs by cost and speed");
  }

  private static double speed(ComparedDesign design) {
    return design.speed().orElse(0);
  }

  private static String cost(double cost) {
    return PlainNumber.of(cost).toPlainString();
  }

  private Element dot(ComparedDesign design, boolean isOnFront) {
    String label =
        TextWriter.format(
            "%s: %s, speed %.3f",
            design.label(answer.axes()), cost(answer.cost(design)), speed(design));
    return Element.of("circle", Element.of("title", label))
        .as(isOnFront ? "on-front" : "other")
        .with("cx", number(x(answer.cost(design))))
        .with("cy", number(y(speed(design))))
        .with("r", isOnFront ? "6" : "4");
  }

  private static Element line(double x1, double y1, double x2, double y2) {
    return Element.of("line")
        .with("x1", number(x1))
        .with("y1", number(y1))
        .with("x2", number(x2))
        .with("y2", number(y2));
  }

  private static Element text(double x, double y, String anchor, String words) {
    return Element.of("text", words)
        .with("x", number(x))
        .with("y", number(y))
        .with("text-anchor", anchor);
  }
}
