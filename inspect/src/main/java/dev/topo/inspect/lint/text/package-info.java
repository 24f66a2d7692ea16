/**
 * Text as NCCL's own reader takes it, which is not quite XML: the reader itself with what it
 * refuses, the elements it found with their places, and numbers as C reads them. Start with {@link
 * dev.topo.inspect.lint.text.NcclXmlReader}. Follows {@code nccl:src/graph/xml.cc}.
 */
@NullMarked
package dev.topo.inspect.lint.text;

import org.jspecify.annotations.NullMarked;
