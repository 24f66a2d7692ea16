from topo import main

main()
