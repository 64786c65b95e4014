"""What the plots share. One module, one job:

    style      sizes, fonts, colours, and looks (colour, dashes, marker) of lines that no figure uses twice
    arguments  the command line, and refusals in one sentence
    results    Shoal's HDF5 files: runs, meshes, snapshots
    tables     tables as CSV, as `shoal table` and `shoal converge` write them
    selection  which runs are drawn: NAME=VALUE, numbers of runs, fractions
    words      names, symbols and units of attributes, diagnostics and columns
    lines      which attributes tell lines apart, their looks, and the legend that follows
    curves     envelopes of fast oscillation, changes on a logarithmic axis, crosses where runs ended, slopes
    page       panels, what is above and below them, saving
    layout     what is wrong with a finished figure: clipped or overlapping text, twin lines, missing units
    raster     surfaces as images, hidden parts removed per pixel, lit
    water      the free surface of a run as images
    published  frames that Angst published
"""

import sys

try:
    import h5py  # noqa: F401  (named here, so that one sentence says what is missing)
    import matplotlib
    import numpy  # noqa: F401
except ImportError as error:
    sys.exit(f"{error}; run: sudo apt-get install -y python3-h5py python3-numpy python3-matplotlib, "
             "and this script with /usr/bin/python3")

matplotlib.use("Agg")
