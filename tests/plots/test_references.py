"""Published figures and results of other codes: the table of figures is complete, and a netCDF file becomes a reference with the values,
directions and times of the file, or a sentence that says what is wrong with it.

    test_references.py FOLDER
"""

import csv
import pathlib
import shutil
import sys
import unittest

from draw import SCRIPTS, draw, require  # first, as it skips the test where libraries are missing

require("xarray", "h5netcdf")
import h5py
import numpy as np
import xarray

FOLDER = pathlib.Path("references")
ROOT = SCRIPTS.parents[1]
SOLUTION = ROOT / "results" / "references" / "williamson-5.h5"


def grid(latitude, longitude, **changes):
    """A data set of one time: a depth linear in space, and the rotation (1, 2, 3) × x."""
    lat, lon = np.meshgrid(np.radians(latitude), np.radians(longitude), indexing="ij")
    x = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)
    east = np.stack([-np.sin(lon), np.cos(lon), 0 * lon], axis=-1)
    north = np.cross(x, east)
    v = np.cross([1, 2, 3], x)
    places = ("time", "lat", "lon")
    fields = {"h": (places, (100 + x @ [1, 2, 3])[None], {"units": "m"}), "u": (places, (v * east).sum(-1)[None], {"units": "m s-1"}),
              "v": (places, (v * north).sum(-1)[None], {"units": "m s-1"})}
    fields.update({name: field for name, field in changes.items() if name in fields})
    coordinates = {"time": ("time", [2.0], {"units": "hours since 2000-01-01"}), "lat": ("lat", latitude), "lon": ("lon", longitude)}
    coordinates.update({name: field for name, field in changes.items() if name in coordinates})
    return xarray.Dataset(fields, coordinates).drop_vars(changes.get("without", []))


def convert(data, *options, engine="scipy"):
    """(exit code, error, file) of the script."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    theirs, ours = FOLDER / "theirs.nc", FOLDER / "ours.h5"
    ours.unlink(missing_ok=True)
    if isinstance(data, xarray.Dataset):
        data.to_netcdf(theirs, engine=engine)
    else:
        theirs.write_bytes(data)
    code, _, error = draw(ROOT / "scripts" / "netcdf_reference.py", [theirs, ours, "--scene", "custom", "--radius", "2", *options], figure=False)
    return code, error, ours


CENTRES = np.arange(-85, 90, 10.0), np.arange(0, 360, 10.0)


class NetCdf(unittest.TestCase):
    def check(self, path, poles_exact):
        with h5py.File(path) as file:
            run = file["runs/0001"]
            mesh = file["meshes"][run.attrs["mesh"]]
            x, faces, shots = mesh["vertices"][()], mesh["faces"][()], run["snapshots"]
            self.assertEqual(list(shots["time"]), [7200])
            np.testing.assert_allclose(np.linalg.norm(x, axis=1), 2, rtol=1e-14)
            corners = x[faces]
            outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            self.assertTrue(((outward * corners.mean(axis=1)).sum(axis=1) > 0).all(), "triangles look outwards")
            edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
            self.assertTrue((np.unique(edges, axis=0, return_counts=True)[1] == 2).all(), "the surface is closed")
            self.assertEqual(len(x) - len(np.unique(edges, axis=0)) + len(faces), 2)
            self.assertEqual(len(x), run.attrs["vertices"])
            inside = slice(None) if poles_exact else slice(0, -2)
            np.testing.assert_allclose(shots["depth"][0][inside], (100 + x / 2 @ [1, 2, 3])[inside], rtol=1e-13)
            v = np.cross([1, 2, 3], x / 2)
            np.testing.assert_allclose(shots["velocity"][0][inside], v[inside], atol=1e-13)
            near = 0.5 * np.radians(10) ** 2 * 4  # means over circles at most 10 degrees from the poles
            self.assertLess(np.abs(shots["depth"][0] - (100 + x / 2 @ [1, 2, 3])).max(), near)
            self.assertLess(np.abs(shots["velocity"][0] - v).max(), near)

    def test_values_are_those_of_the_file(self):
        lat, lon = CENTRES
        for engine in ("scipy", "h5netcdf"):  # netCDF 3 and 4
            for data, exact in ((grid(lat, lon), False), (grid(lat[::-1], lon), False), (grid(lat, lon - 180), False),
                                (grid(np.arange(-90, 91, 10.0), lon), True), (grid(lat, np.arange(0, 361, 10.0)), False)):
                code, error, path = convert(data, engine=engine)
                self.assertEqual((code, error), (0, ""))
                self.check(path, exact)

    def test_variables_have_other_names_and_units(self):
        lat, lon = CENTRES
        data = grid(lat, lon).rename({"h": "eta", "lat": "phi", "lon": "lam"})
        data["phi"].attrs["standard_name"], data["lam"].attrs["standard_name"] = "latitude", "longitude"
        for name in ("phi", "lam"):
            data[name] = (name, np.radians(data[name].values), {**data[name].attrs, "units": "radian"})
        code, error, path = convert(data, "--depth", "eta")
        self.assertEqual((code, error), (0, ""))
        self.check(path, False)
        data = grid(lat, lon).rename({"h": "eta", "lat": "phi", "lon": "lam", "time": "when"})
        code, error, path = convert(data, "--depth", "eta", "--latitude", "phi", "--longitude", "lam", "--time-variable", "when")
        self.assertEqual((code, error), (0, ""))
        self.check(path, False)

    def test_a_depth_alone_has_the_time_that_is_given(self):
        lat, lon = CENTRES
        data = grid(lat, lon)
        alone = xarray.Dataset({"h": data["h"][0]}).drop_vars("time")
        code, error, path = convert(alone, "--time", "7200")
        self.assertEqual((code, error), (0, ""))
        with h5py.File(path) as file:
            self.assertEqual(sorted(file["runs/0001/snapshots"]), ["depth", "time"])
            self.assertEqual(list(file["runs/0001/snapshots/time"]), [7200])
        self.assertIn("--time", convert(alone)[1])

    def test_bad_input_gives_one_sentence(self):
        lat, lon = CENTRES
        plain = grid(lat, lon)
        hole = plain.copy(deep=True)
        hole["h"][0, 3, 4] = np.nan
        sunk = plain.copy(deep=True)
        sunk["h"][0, 3, 4] = -1
        regional = grid(lat[3:], lon), grid(lat, lon[:20])
        feet = plain.copy()
        feet["h"].attrs["units"] = "feet"
        months = grid(lat, lon, time=("time", [2.0], {"units": "months since 2000-01-01"}))
        for data, options, expected in ((b"no netCDF", [], "not a netCDF file"), (b"", [], "not a netCDF file"), (hole, [], "missing"),
                                        (regional[0], [], "pole"), (regional[1], [], "gap"), (feet, [], "'feet'"), (months, [], "month"),
                                        (plain.transpose("time", "lon", "lat"), [], "latitudes and longitudes"),
                                        (plain.drop_vars("v"), [], "component"), (plain.drop_vars("h"), [], "--depth"),
                                        (plain, ["--depth", "nothing"], "'nothing'"), (plain, ["--radius", "-1"], "not positive"),
                                        (plain, ["--scene", "nosuch"], "'nosuch'"), (plain, ["--scene", "wiliamson-5"], "mean williamson-5"),
                                        (grid(lat, lon, time=("time", [np.nan], {"units": "hours"})), [], "time"),
                                        (grid(lat, lon, time=("time", ["late"])), [], "'time'"), (plain.drop_vars("lat"), [], "--latitude NAME"),
                                        (plain.rename({"time": "when"}), [], "--time-variable NAME"), (plain, ["--latitude", "nothing"], "'nothing'"),
                                        (plain.drop_vars("time"), [], "--time-variable NAME"),
                                        (plain, ["--time", "7200"], "--time is for a depth without times"), (sunk, [], "negative"),
                                        (grid(lat, np.arange(0, 400, 10.0)), [], "390°"), (grid(lat, np.arange(0, 721, 10.0)), [], "720°")):
            code, error, path = convert(data, *options)
            self.assertEqual((code, error.count("\n")), (2, 1), error)
            self.assertIn(expected, error)
            self.assertFalse(path.exists())
            self.assertFalse(list(FOLDER.glob("*.part")))

    def test_the_file_is_not_overwritten(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        theirs = FOLDER / "own.nc"
        grid(*CENTRES).to_netcdf(theirs, engine="scipy")
        before = theirs.read_bytes()
        code, _, error = draw(ROOT / "scripts" / "netcdf_reference.py", [theirs, theirs, "--scene", "custom"], figure=False)
        self.assertEqual((code, error.count("\n")), (2, 1), error)
        self.assertEqual(theirs.read_bytes(), before)

    def test_an_output_that_cannot_be_written_gives_one_sentence(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        grid(*CENTRES).to_netcdf(FOLDER / "theirs.nc", engine="scipy")
        (FOLDER / "folder").mkdir(exist_ok=True)
        for output in (FOLDER / "folder", FOLDER / "none" / "file"):
            for script, *given in (("netcdf_reference.py", FOLDER / "theirs.nc", output, "--scene", "custom"),
                                   ("solution_netcdf.py", SOLUTION, output, "--spacing", "30")):
                code, _, error = draw(ROOT / "scripts" / script, given, figure=False)
                self.assertEqual((code, error.count("\n")), (2, 1), error)
                self.assertIn(f"{output}: cannot be written", error)
                self.assertFalse(list(FOLDER.glob("*.part")))


def change(name, change_it):
    """Changes the values of a dataset in a file."""
    def changed(file):
        values, meaning = change_it(file[name][()]), dict(file[name].attrs)
        del file[name]
        file[name] = values
        file[name].attrs.update(meaning)
    return changed


def with_value(values, index, value):
    values[index] = value
    return values


def replace(name, make):
    """Puts something else in the place of a dataset."""
    def changed(file):
        del file[name]
        make(file)
    return changed


class Solutions(unittest.TestCase):
    def test_bad_input_gives_one_sentence(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        damaged, output = FOLDER / "damaged.h5", FOLDER / "grid.nc"
        output.unlink(missing_ok=True)
        for damage, options, expected in (
                (None, ["--spacing", "1e-9"], "1e-09 is not"), (None, ["--spacing", "nan"], "nan is not"), (None, ["--spacing", "7"], "7.0 is not"),
                (lambda file: file.attrs.update({"truncation": 170.5}), [], "170.5"), (lambda file: file.attrs.update({"truncation": "x"}), [], ""),
                (lambda file: file.attrs.update({"format": "shoal"}), [], "shoal-reference"), (lambda file: file.pop("curl"), [], "curl"),
                (change("time", lambda time: time[::-1]), [], "/time"), (change("time", lambda time: with_value(time, 0, np.nan)), [], "/time"),
                (change("depth", lambda all: all[:, :-1]), [], "/depth"), (change("gradient", lambda all: with_value(all, (0, 5), np.inf)), [], "/gradient"),
                (lambda file: file.attrs.update({"truncation": [1, 2]}), [], "the truncation"), (lambda file: file.attrs.pop("truncation"), [], "the truncation"),
                (lambda file: file.attrs.update({"format": [1.0, 2.0]}), [], "shoal-reference"),
                (replace("depth", lambda file: file.create_group("depth")), [], "/depth: not a table of real numbers"),
                (replace("time", lambda file: file.create_group("time")), [], "/time: not a table of real numbers"),
                (change("time", lambda time: time * 1j), [], "/time: not a table of real numbers"),
                (change("time", lambda time: [b"late"] * len(time)), [], "/time: not a table of real numbers"),
                (replace("curl", lambda file: file.create_dataset("curl", data=h5py.Empty("f8"))), [], "/curl: not a table of real numbers"),
                (change("time", lambda time: time[0]), [], "/time: not finite")):
            shutil.copy(SOLUTION, damaged)
            if damage:
                with h5py.File(damaged, "a") as file:
                    damage(file)
            code, _, error = draw(ROOT / "scripts" / "solution_netcdf.py", [damaged, output, *options], figure=False)
            self.assertEqual((code, error.count("\n")), (2, 1), error)
            self.assertIn(expected, error)
            self.assertFalse(output.exists())
            self.assertFalse(list(FOLDER.glob("*.part")))

    def test_a_solution_is_not_overwritten(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        copy = FOLDER / "solution.h5"
        shutil.copy(SOLUTION, copy)
        code, _, error = draw(ROOT / "scripts" / "solution_netcdf.py", [copy, copy, "--spacing", "30"], figure=False)
        self.assertEqual((code, error.count("\n")), (2, 1), error)
        self.assertEqual(copy.read_bytes(), SOLUTION.read_bytes())


class Published(unittest.TestCase):
    def test_every_figure_has_a_number_and_a_document(self):
        with open(ROOT / "results" / "references" / "published.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertNotIn(None, row, row)
            self.assertGreater(float(row["value"]), 0)
            self.assertTrue(row["nodes"] == "" or int(row["nodes"]) > 0)
            for name in ("scene", "code", "quantity", "resolution", "document", "where"):
                self.assertTrue(row[name], row)
        self.assertEqual(len({tuple(row.values()) for row in rows}), len(rows), "no row twice")

    def test_figures_stand_beside_our_errors(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        ours = FOLDER / "errors.csv"
        head = "scene,discretization,mesh_name,outcome,unknowns,l2_error\n"
        ours.write_text(head + "williamson-5,dec,icosphere:5,finished,51202,9.3e-4\n", encoding="utf-8")
        code, text, error = draw("published_errors.py", [ours, "l2_error"], figure=False)
        self.assertEqual((code, error), (0, ""))
        self.assertIn("| Shoal, dec | icosphere:5 | 51202 |", text)
        self.assertIn("| GME | ni = 32 | 10242 |", text)
        self.assertIn("icon.enes.org", text)
        ours.write_text(head + "rest,dec,icosphere:5,finished,51202,0\n", encoding="utf-8")
        code, _, error = draw("published_errors.py", [ours, "l2_error"], figure=False)
        self.assertEqual((code, error.count("\n")), (2, 1))

    def test_errors_are_numbers(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        ours = FOLDER / "text.csv"
        ours.write_text("scene,discretization,mesh_name,outcome,unknowns,seconds,l2_error\n"
                        "williamson-5,dec,icosphere:4,unstable,12802,1,\nwilliamson-5,dec,icosphere:5,finished,51202,2,small\n", encoding="utf-8")
        for script in ("published_errors.py", "published_orders.py"):
            for column, row, text in (("l2_error", 2, "small"), ("outcome", 1, "unstable")):
                code, output, error = draw(script, [ours, column], figure=False)
                self.assertEqual((code, output), (2, ""))
                self.assertEqual(error, f"{script}: {ours}: column {column}, row {row}: '{text}' is not a number\n")

    def test_rows_have_the_fields_of_the_head(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        ours = FOLDER / "fields.csv"
        head = "scene,discretization,mesh_name,outcome,unknowns,seconds,l2_error\nwilliamson-5,dec,icosphere:4,finished,12802,1,9e-3\n"
        for row in ("williamson-5,dec,icosphere:5,finished,51202,2", "williamson-5,dec,icosphere:5,finished,51202,2,9e-4,1"):
            ours.write_text(f"{head}{row}\n", encoding="utf-8")
            for script in ("published_errors.py", "published_orders.py"):
                code, output, error = draw(script, [ours, "l2_error"], figure=False)
                self.assertEqual((code, output, error), (2, "", f"{script}: {ours}: row 2 does not have the 7 fields of the head\n"))
        ours.write_text(f"{head}williamson-5,dec,icosphere:5,finished,51202,2,\nwilliamson-5,dec,icosphere:6,unstable,204802,2,\n", encoding="utf-8")
        code, output, error = draw("published_errors.py", [ours, "l2_error"], figure=False)
        self.assertEqual((code, error), (0, ""))
        self.assertEqual([line.split("|")[-2].strip() for line in output.splitlines() if "Shoal" in line], ["0.009", "–", "unstable"])


if __name__ == "__main__":
    FOLDER = pathlib.Path(sys.argv.pop(1))
    unittest.main()
