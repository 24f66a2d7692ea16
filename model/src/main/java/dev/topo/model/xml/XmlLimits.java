package dev.topo.model.xml;

/**
 * How much of a file is read before it is refused. Generous against what NCCL writes (hundreds of
 * elements, ten levels), small against what could hurt.
 *
 * @param bytes size of the file
 * @param depth levels of elements
 * @param elements number of elements
 * @param attributes attributes of one element
 * @param valueLength characters of one attribute value
 */
record XmlLimits(long bytes, int depth, int elements, int attributes, int valueLength) {
  /** Limits that fit any file NCCL could have written, with room to spare. */
  public static final XmlLimits DEFAULT = new XmlLimits(16L << 20, 64, 100_000, 64, 4096);
}
