package dev.topo.cli.help;

/**
 * The machines that come with topo, as completions offer them where a topology file may stand: by
 * the name of the file, or by its path. Scripts look for them beside the launcher, in the folder of
 * a package or of a checkout.
 */
final class MachineCompletion {
  /** For bash: prints the paths whose name, or which themselves, begin with a word. */
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
      }
      """;

  /** For zsh: adds the paths, which replace the word. */
  static final String ZSH =
      """
      # The machines that come with topo, by the names of their files.
      _topo_machines() {
        local home=${$(whence -p topo):A:h}
        local -a machines
        machines=($home/topologies/*.xml(N) ${home%/bin}/topologies/*.xml(N))
        machines=(${(u)${(M)machines:#*/$PREFIX*}})
        (( $#machines )) && compadd -U -f -- $machines
      }

      """;

  /** For fish, which itself takes what contains the word. */
  static final String FISH =
      """
      function __topo_machines
          set -l home (path dirname (path resolve (command -s topo)))
          path filter -f $home/topologies/*.xml (string replace -r '/bin$' '' $home)/topologies/*.xml | sort -u
      end
      """;

  private MachineCompletion() {}
}
