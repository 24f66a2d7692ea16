package dev.topo.cli.help;

import dev.topo.model.xml.NamedMachine;

/**
 * Shell functions that complete machines where a topology file is expected: their names, and the
 * files of those that come with topo, by file name or by path. They search beside the launcher, in
 * the folder of a package or of a checkout.
 */
final class MachineCompletion {
  /** For bash: prints the paths that begin with a word, or whose file name does. */
  static final String BASH =
      """

      # The machines that come with topo, by the names of their files.
      function _topo_machines() {
        local home machine
        home=$(readlink -f -- "$(type -P topo)")
        home=${home%/*}
        for machine in "$home"/topologies/*.xml "${home%/bin}"/topologies/*.xml; do
          [[ -e $machine && ( ${machine##*/} == "$1"* || $machine == "$1"* ) ]] && printf '%s\\n' "$machine"
        done | sort -u
        compgen -W "NAMES" -- "$1"
      }
      """
          .replace("NAMES", names());

  /** For zsh: adds the paths as completions, which replace the word. */
  static final String ZSH =
      """
      # The machines that come with topo, by the names of their files.
      _topo_machines() {
        local home=${$(whence -p topo):A:h}
        local -a machines
        machines=($home/topologies/*.xml(N) ${home%/bin}/topologies/*.xml(N))
        machines=(${(u)${(M)machines:#*/$PREFIX*}})
        (( $#machines )) && compadd -U -f -- $machines
        compadd -- NAMES
      }

      """
          .replace("NAMES", names());

  /** For fish: prints all paths. fish itself selects those that contain the word. */
  static final String FISH =
      """
      function __topo_machines
          set -l home (path dirname (path resolve (command -s topo)))
          path filter -f $home/topologies/*.xml (string replace -r '/bin$' '' $home)/topologies/*.xml | sort -u
          string split ' ' 'NAMES'
      end
      """
          .replace("NAMES", names());

  private MachineCompletion() {}

  private static String names() {
    return String.join(" ", NamedMachine.allNames());
  }
}
