/**
 * Man pages and completions of shells, made from the model of the command line. Start with {@link
 * dev.topo.cli.manual.ManPage}. Nothing here knows a command: what is printed about one comes from
 * its picocli specification.
 */
@NullMarked
package dev.topo.cli.manual;

import org.jspecify.annotations.NullMarked;
