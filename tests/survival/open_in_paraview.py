"""The .xdmf of a finished sweep, opened with ParaView: every snapshot, with depth, elevation and velocity.

    pvpython open_in_paraview.py FILE.xdmf
"""
import os
import sys

if not os.path.exists(sys.argv[1]):
    print("SKIPPED: no results to open")
    sys.exit(0)

from paraview.servermanager import Fetch
from paraview.simple import XDMFReader

reader = XDMFReader(FileNames=[sys.argv[1]])
reader.UpdatePipelineInformation()
times = list(reader.TimestepValues)
assert len(times) == 4, times
for time in times:
    reader.UpdatePipeline(time)
    blocks = Fetch(reader)
    for index in range(blocks.GetNumberOfBlocks()):
        block = blocks.GetBlock(index)
        names = {data.GetArray(i).GetName() for data in (block.GetPointData(), block.GetCellData())
                 for i in range(data.GetNumberOfArrays())}
        assert {"depth", "elevation", "depth_at_vertices"} <= names, names
        assert names & {"velocity", "depth_rate"}, names
        assert block.GetPointData().GetArray("depth_at_vertices").GetRange()[0] > 0.5
print(f"ParaView reads {len(times)} snapshots of {blocks.GetNumberOfBlocks()} runs")
