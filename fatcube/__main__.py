from fatcube.cli import main

main()
