"""What ParaView's OpenDataFile shows of .xdmf files, written down for paraview_reader.py, which knows what it should be.

    pvpython open_in_paraview.py OUTPUT.npz FILE.xdmf …
"""
import os
import sys

import numpy as np
from paraview.modules.vtkPVVTKExtensionsCore import vtkFileSequenceParser
from paraview.servermanager import Fetch
from paraview.simple import Delete, OpenDataFile, XDMFReader
from vtkmodules.util.numpy_support import vtk_to_numpy


def numbers(array):
    return vtk_to_numpy(array).copy()  # what ParaView holds goes with the next time


def look(reader, values, key):
    """Times and, at each, points, triangles and arrays."""
    reader.UpdatePipelineInformation()
    times = reader.TimestepValues
    times = list(times) if hasattr(times, "__len__") else [times]  # one is no list
    values[f"{key}/times"] = times
    for row, time in enumerate(times):
        reader.UpdatePipeline(time)
        grid = Fetch(reader)
        here = f"{key}/{row}"
        if grid.GetClassName() == "vtkMultiBlockDataSet":  # of the older reader, with the time line as its one block
            assert grid.GetNumberOfBlocks() == 1, f"{key} has {grid.GetNumberOfBlocks()} blocks"
            grid = grid.GetBlock(0)
        values[f"{here}/kind"] = grid.GetClassName()
        values[f"{here}/points"] = numbers(grid.GetPoints().GetData())
        cells = numbers(grid.GetCells().GetConnectivityArray())
        values[f"{here}/triangles"] = cells.reshape(-1, 3)
        for place, data in ("vertex", grid.GetPointData()), ("face", grid.GetCellData()):
            for i in range(data.GetNumberOfArrays()):
                values[f"{here}/{place}/{data.GetArrayName(i)}"] = numbers(data.GetArray(i))


def main():
    found = {}
    for path in sys.argv[2:]:
        reader = OpenDataFile(path)
        found[f"{path}:reader"] = reader.SMProxy.GetXMLName()
        found[f"{path}:opened-with-others"] = vtkFileSequenceParser().ParseFileSequence(os.path.basename(path))
        look(reader, found, f"{path}:")
        Delete(reader)
        older = XDMFReader(FileNames=[path])
        look(older, found, f"{path}:older")
        Delete(older)
    np.savez(sys.argv[1], **found)


main()
