package dev.topo.search.rules;

/** A subject of the rules of a version, whose fields are read from the table when it is made. */
abstract class Rules {
  final RuleTable table;

  Rules(RuleTable table) {
    this.table = table;
  }
}
