/**
 * YAML as a tree of texts, each with its line and column. Start with {@link
 * dev.topo.sweep.yaml.YamlReader}; alone uses Jackson's YAML. Does not know what a document is
 * about.
 */
@NullMarked
package dev.topo.sweep.yaml;

import org.jspecify.annotations.NullMarked;
