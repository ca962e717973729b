"""The command of :mod:`fatcube.studies.open_cells`."""

import sys

from fatcube.studies.open_cells.making import make

if __name__ == "__main__":
    make(float(sys.argv[1]) if len(sys.argv) > 1 else 0.0)
