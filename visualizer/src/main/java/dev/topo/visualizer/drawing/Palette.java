package dev.topo.visualizer.drawing;

/** Colours and widths that do not depend on the kind of an element; colours as {@code 0xRRGGBB}. */
public final class Palette {
  /** Background. */
  public static final int PAPER = 0xFFFFFF;

  /** Text, routes and arrows. */
  public static final int INK = 0x1A1A1A;

  /** Mark behind a full link: the yellow of Okabe and Ito. */
  public static final int FULL = 0xF0E442;

  /** How much wider the mark of a full link is than its line, in pixels. */
  public static final double FULL_MARGIN = 8;

  /** Width of the line that shows a route, in pixels. */
  public static final double ROUTE_WIDTH = 1.6;

  /** Opacity of elements that are not on the shown route. */
  public static final float FAINT = 0.3f;

  private Palette() {}
}
