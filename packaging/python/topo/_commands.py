# Made from the command line; PythonCommandsTest keeps it so.

COMMANDS = {
    "advise": "What makes calls faster than NCCL's defaults (settings, tuner file, graph file, buffers): gain, cost, how to set it and how to check it.",
    "calibrate": "Corrects the predictions of your own machine by measured times, from three sizes of a collective on; fits the constants of a node to many times of forced algorithms. Reports how far predictions are off before and after, what the times determine, and which of them contradict the others. Without FILE, evaluates a calibration on the measurements of --against.",
    "check": "Judges runs: PASS, SLOW, WRONG or NOT JUDGED, each with an exit status.",
    "connect": "The rings and trees of a job over all its ranks, and its NVLS, CollNet and peer-to-peer channels.",
    "diagnose": "What is wrong with a measurement: ranked causes, with evidence.",
    "diff": "What differs between two machines, or in a fleet, and what that changes in a job. Ignores bus ids, host hashes and the order of devices in a file, but not device numbers. With two files, each difference is applied by itself to the first. With a folder or more files, equal nodes are grouped. The largest group is the reference; a node that differs is evaluated in a job of one such node and reference nodes.",
    "doctor": "Which NCCL would be loaded here and why, and what is wrong. Also shows driver and CUDA, plugins, settings and their effects, GPUs and NICs, GPUDirect RDMA and limits. Neither loads NCCL nor starts a program; a GPU is not required.",
    "explain": "Explains NCCL's decisions: the choice for a call, the channels, the NICs of sends, the search, GDR and PXN; and the lower bound of the time.",
    "guest": "Writes the NCCL_TOPO_FILE of a virtual machine: CPUs and PCI devices of the host, with the guest's bus ids. NCCL adds GPUs and network ports at run time. On stderr: channels and the path from each GPU to its port on the host, in the guest as it is, and with the file.",
    "lint": "Checks a file: what is wrong, what NCCL would do with it, and how to fix it. Accepts files for NCCL_TOPO_FILE and NCCL_GRAPH_FILE, nccl.conf, and files of NCCL's example tuner plugin.",
    "machines": "The machines and instance types of clouds that have a name, with their source.",
    "memory": "The memory that NCCL takes of each GPU and host before anything runs: by call, and by what takes it.",
    "paths": "The path that NCCL uses between every two devices: type, bandwidth, hops.",
    "place": "The order of hosts with the least predicted communication of a step, and its price beside that of other orders.",
    "predict": "Time, algbw and busbw by size on calibrated hardware, what limits them, and what would be faster than NCCL's choice.",
    "search": "The channels NCCL finds on a machine: rings, trees, NVLS and CollNet.",
    "show": "The machine as NCCL sees it: a tree with link types and bandwidths.",
    "sweep": "Evaluates thousands of designs: machines with edits as axes, numbers of nodes, switches, NCCL releases and settings, for collectives or workloads. The rows are written to a folder; an interrupted run continues. SPEC is a YAML file: docs/sweep.md describes it.",
    "tune": "Algorithm, protocol, channels and threads that NCCL chooses, by collective and size.",
    "upgrade": "What changes with another release of NCCL: channels, graphs, choices and predicted times of a job. With a folder or several files, each node of a fleet, in a job of nodes equal to it: equal nodes are evaluated once.",
    "whatif": "Edits a machine or the settings and shows what that changes: paths, graphs, choices, busbw.",
    "workload": "Analyses the communication in the traces of a job: measured and expected times, NCCL's choices, exposed and hidden time, late ranks.",
}

# Options that are given several times; the values of others are joined by commas.
REPEATED = frozenset("against call env force given group log map node program python topology variant whatif why_not".split())
