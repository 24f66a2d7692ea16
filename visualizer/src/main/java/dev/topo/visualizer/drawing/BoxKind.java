package dev.topo.visualizer.drawing;

/** The kind of device that a box shows; it determines the fill. */
public enum BoxKind {
  /** A GPU. */
  GPU(0xE3F3ED, 0x00664B),
  /** The NVSwitches. */
  NVS(0xCDEBDF, 0x00664B),
  /** A PCI switch or bridge. */
  PCI(0xDCEAF5, 0x004A75),
  /** A network card with its ports. */
  NIC(0xF7E8F0, 0x8A4A6E),
  /** A NUMA domain. */
  CPU(0xE9E9E9, 0x444444),
  /** A host of an NVLink domain; drawn behind everything. */
  HOST(0xFFFFFF, 0x8A8A8A),
  /** Everything that belongs to one socket; drawn behind all but hosts. */
  PANEL(0xF8F8F8, 0xD8D8D8),
  /** A node of a job. */
  NODE(0xF4F4F4, 0x444444);

  private final int fill;
  private final int border;

  BoxKind(int fill, int border) {
    this.fill = fill;
    this.border = border;
  }

  /** True if it is drawn behind lines and other boxes. */
  public boolean isBackground() {
    return this == HOST || this == PANEL;
  }

  /** Colour of the inside, as {@code 0xRRGGBB}. */
  public int fill() {
    return fill;
  }

  /** Colour of the border, as {@code 0xRRGGBB}. */
  public int border() {
    return border;
  }
}
