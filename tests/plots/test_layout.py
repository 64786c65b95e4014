"""The check of the layout finds what is wrong with a figure, and nothing where nothing is; looks, labels and choices of runs."""

import contextlib
import io
import itertools
import sys
import unittest

import draw  # noqa: F401  (puts the package on the path, and skips the test where its libraries are missing)
import numpy as np
from shoal_plots import curves, layout, lines, page, selection, style, words

plt = style.plt


def good_figure():
    """A page of two panels that is as it should be."""
    result = page.Page(["energy"], ["a", "b"])
    x = np.linspace(0, 1, 50)
    for panel, (look, label) in itertools.product(["a", "b"], zip(style.looks(), ["explicit", "newmark"])):
        result["energy", panel].plot(x, x * len(label), label=label, markevery=10, **look)
    result.ylabel("energy", "energy (J)")
    result.xlabel("t (s)")
    result.legend([("", {label: plt.Line2D([], [], **look) for look, label in zip(style.looks(), ["explicit", "newmark"])})])
    result.subtitle("bump on icosphere:3")
    result.note("a note")
    result.finish()
    return result


class Layout(unittest.TestCase):
    def tearDown(self):
        plt.close("all")

    def found(self, figure, words_):
        problems = layout.problems(figure)
        self.assertTrue(any(words_ in problem for problem in problems), problems)

    def test_a_good_figure_has_no_problems(self):
        self.assertEqual(layout.problems(good_figure().figure), [])

    def test_text_beyond_the_edge_is_clipped(self):
        figure = good_figure().figure
        figure.text(0.95, 0.5, "a text that leaves the figure")
        self.found(figure, "is clipped")

    def test_texts_on_each_other_overlap(self):
        figure = good_figure().figure
        figure.axes[0].text(0.5, 0.5, "one text")
        figure.axes[0].text(0.5, 0.5, "another text")
        self.found(figure, "overlap")

    def test_a_text_that_is_not_drawn_counts_for_nothing(self):
        figure = good_figure().figure
        figure.text(0.95, 0.5, "a text that leaves the figure", visible=False)
        self.assertEqual(layout.problems(figure), [])

    def test_small_letters(self):
        figure = good_figure().figure
        figure.axes[0].text(0.5, 0.5, "small", fontsize=4)
        self.found(figure, "4 points")

    def test_a_large_legend(self):
        figure = good_figure().figure
        figure.axes[0].legend([plt.Line2D([], [], label=f"a line with a long name, number {i}") for i in range(20)],
                              [f"a line with a long name, number {i}" for i in range(20)], fontsize=9)
        self.found(figure, "more than a third")

    def test_twin_lines_in_a_panel(self):
        figure = good_figure().figure
        for label in "ab":
            figure.axes[0].plot([0, 1], [0, 1], color="red", linestyle=(0, (5, 2)), label=label)
        self.found(figure, "look alike in one panel")

    def test_one_look_with_two_names_in_two_panels(self):
        figure = good_figure().figure
        for axes, label in zip(figure.axes, "ab"):
            axes.plot([0, 1], [0, 1], color="red", label=label)
        self.found(figure, "look alike in different panels")

    def test_dashes_of_different_lengths_are_different_looks(self):
        figure = good_figure().figure
        for label, dashes in (("a", (0, (5, 2))), ("b", (0, (1, 1)))):
            figure.axes[0].plot([0, 1], [0, 1], color="red", linestyle=dashes, label=label)
        self.assertEqual(layout.problems(figure), [])

    def test_a_missing_unit(self):
        result = good_figure()
        result.ylabel("energy", "energy")
        self.found(result.figure, "'energy' has no unit")

    def test_a_missing_label(self):
        result = good_figure()
        result.xlabel("")
        self.found(result.figure, "has no label")

    def test_axes_of_names_need_no_label(self):
        result = good_figure()
        result.ylabel("energy", "")
        result["energy", "a"].set_yticks([0, 1], ["explicit", "newmark"])
        self.assertEqual(layout.problems(result.figure), [])

    def test_a_width_that_is_no_column(self):
        figure = good_figure().figure
        figure.set_size_inches(5, 3)
        self.found(figure, "neither 88 nor 180")

    def test_marks_outside_their_panel(self):
        figure = good_figure().figure
        figure.axes[0].set_xlim(0, 1)
        figure.axes[0].plot([1.5], [0.5], marker="x", clip_on=False, linestyle="none", label="far", color="red")
        self.found(figure, "outside its panel")

    def test_marks_that_are_cut_off(self):
        figure = good_figure().figure
        figure.axes[0].set_xlim(0, 1)
        figure.axes[0].plot([0.5, 1.5], [0.5, 0.5], marker="x", linestyle="none", label="far", color="red")
        self.found(figure, "a mark of 'far' lies outside its panel")

    def test_a_text_under_a_curve(self):
        figure = good_figure().figure
        figure.axes[0].text(0.5, 4.0, "a text", ha="center", va="center", zorder=0.6)
        self.found(figure, "'a text' lies under a curve")

    def test_a_text_beside_a_curve(self):
        figure = good_figure().figure
        figure.axes[0].text(0.1, 6.0, "a text", ha="center", va="center", zorder=0.6)
        self.assertEqual(layout.problems(figure), [])

    def test_a_text_that_leaves_its_picture(self):
        figure = good_figure().figure
        axes = figure.add_axes((0.2, 0.4, 0.1, 0.1))
        axes.set_axis_off()
        axes.text(0.9, 0.5, "finished at t = 2 s", ha="center")
        self.found(figure, "'finished at t = 2 s' leaves its picture")

    def test_strict_is_an_exit_code_and_else_a_warning(self):
        class Chosen:
            formats, strict = [], True

        for Chosen.strict in (True, False):
            figure = good_figure().figure
            figure.text(0.95, 0.5, "a text that leaves the figure")
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), contextlib.ExitStack() as stack:
                if Chosen.strict:
                    stop = stack.enter_context(self.assertRaises(SystemExit))
                page.save(figure, Chosen, "test")
            self.assertIn("is clipped", errors.getvalue())
            if Chosen.strict:
                self.assertEqual(stop.exception.code, 1)

    def test_a_long_legend_makes_the_figure_higher(self):
        result = page.Page(["energy"], ["a"])
        result.ylabel("energy", "energy (J)")
        result.xlabel("t (s)")
        result.legend([("", {f"a line with a rather long name, number {i}": plt.Line2D([], [], **look)
                             for i, look in zip(range(24), style.looks())})])
        result.finish()
        self.assertEqual(layout.problems(result.figure), [])


class LogarithmicAxes(unittest.TestCase):
    def labels(self, low, high, columns, width):
        """The labels of the horizontal axis of the first of some panels over this range, whose layout is as it should be."""
        result = page.Page(["error"], range(columns), width)
        for column in range(columns):
            result["error", column].loglog([low, high], [1e-7, 1e-5], label="explicit")
        result.ylabel("error", "error (1)")
        result.xlabel("Δt (s)")
        result.finish()
        self.assertEqual(layout.problems(result.figure), [], (low, high, columns, width))
        axis = result["error", 0].xaxis
        left, right = axis.get_view_interval()
        plt.close(result.figure)
        return [text.get_text() for tick, text in zip(axis.get_majorticklocs(), axis.get_majorticklabels()) if left <= tick <= right]

    def test_labels_never_overlap_and_are_written_in_one_way(self):
        ranges = [(5.8e-4, 2.3e-3), (1.02e-4, 1.3e-4), (2562, 163842), (2.1e-5, 2.9e-5), (0.3, 40), (7e3, 1.5e5), (1e-9, 1e5)]
        for (low, high), (columns, width) in itertools.product(ranges, [(1, "one"), (3, "one"), (1, "two"), (4, "two")]):
            labels = self.labels(low, high, columns, width)
            self.assertGreaterEqual(len(labels), 1 if columns > 2 and high < 2 * low else 2, (low, high, columns, labels))
            self.assertEqual(len({"10^" in label for label in labels}), 1, labels)

    def test_a_wide_panel_has_more_of_them(self):
        self.assertGreater(len(self.labels(5.8e-4, 2.3e-3, 1, "two")), len(self.labels(5.8e-4, 2.3e-3, 4, "two")))


class Looks(unittest.TestCase):
    def test_no_two_are_alike(self):
        looks = [tuple(map(str, look.values())) for look in style.looks()]
        self.assertEqual(len(looks), len(set(looks)))
        without_marker = [look[:2] for look in looks[:len(style.PALETTE) * len(style.DASHES)]]
        self.assertLessEqual(len(style.PALETTE), len(set(without_marker)))

    def test_of_lines_that_differ_in_three_attributes(self):
        items = [{"integrator": a, "mesh_name": b, "lower_angle": c} for a in ("explicit", "newmark") for b in "abc" for c in (0, 10)]
        made = lines.Lines(items, ["integrator", "mesh_name", "lower_angle"])
        self.assertEqual(len({tuple(map(str, look.values())) for look in made.look.values()}), len(items))
        headings = [heading for heading, _ in made.legend()]
        self.assertEqual(sorted(headings), ["integrator", "lower angle", "mesh name"])
        self.assertEqual({look["color"] for values, look in made.look.items() if values[0] == "explicit"}, {"#0072B2"})

    def test_of_more_lines_than_colours(self):
        made = lines.Lines([{"case": i} for i in range(40)], ["case"])
        self.assertEqual(len({tuple(map(str, look.values())) for look in made.look.values()}), 40)


class Labels(unittest.TestCase):
    def test_units(self):
        for label in ("t (s)", "energy (J)", "E(t) / E(0)", "speed (m/s)", "enstrophy (m²/s²)", "ωΔt (1)", "number of vertices",
                      "angular momentum\n(kg m²/s)", "|1 − E(t) / E(0)|"):
            self.assertTrue(words.has_unit(label), label)
        for label in ("t", "energy", "max depth", "E(t)", "energy (total)", "l2 error (elevation)"):
            self.assertFalse(words.has_unit(label), label)

    def test_every_quantity_has_a_unit(self):
        for name in (*words.QUANTITIES, "l2_error_velocity", "linf_error", "elevation_error@0.6", "ms_depth", "unheard_of", "mass_drift"):
            self.assertTrue(words.has_unit(words.quantity_label(name)), words.quantity_label(name))

    def test_errors_say_of_what_and_against_which_solution(self):
        self.assertEqual(words.quantity_label("l2_error_elevation_nonlinear_no_advection"),
                         "L₂ error of elevation, nonlinear theory without advection\u00a0(1)")
        self.assertEqual(words.quantity_label("l2_error"), "L₂ error of depth\u00a0(1)")

    def test_values(self):
        self.assertEqual(words.attribute_text("dt", 1 / 60), "Δt = 1/60 s")
        self.assertEqual(words.attribute_text("dt", "0.1"), "Δt = 0.1 s")
        self.assertEqual(words.attribute_text("lower_angle", 10), "lower angle = 10°")
        self.assertEqual(words.attribute_text("integrator", "newmark"), "newmark")


class Selection(unittest.TestCase):
    def test_fractions(self):
        self.assertEqual(selection.parse_number("1/60"), 1 / 60)
        self.assertEqual(selection.parse_number("1e-4"), 1e-4)
        self.assertIsNone(selection.parse_number("mean"))
        self.assertTrue(selection.Condition("dt=1/60").holds({"dt": 0.0166666666667}))
        self.assertFalse(selection.Condition("dt=1/60").holds({"dt": 0.01}))

    def test_numbers_of_runs(self):
        self.assertEqual(selection.run_id("2"), "0002")
        self.assertTrue(selection.Condition("id=2").holds({"id": "0002"}))

    def test_comparisons_and_several_values(self):
        self.assertTrue(selection.Condition("mesh_name=a|b").holds({"mesh_name": "b"}))
        self.assertFalse(selection.Condition("mesh_name!=a|b").holds({"mesh_name": "b"}))
        self.assertTrue(selection.Condition("amplitude > 0.1").holds({"amplitude": 0.3}))
        self.assertTrue(selection.Condition("axis=0,0,1").holds({"axis": "0,0,1"}))
        self.assertFalse(selection.Condition("friction<1").holds({}))


class Curves(unittest.TestCase):
    def test_an_envelope_holds_every_value(self):
        time = np.linspace(0, 10, 5001)
        values = np.sin(200 * time)
        at, low, mean, high = curves.envelope(time, values)
        self.assertGreater(curves.count_of_extremes(values), curves.MANY_EXTREMES)
        self.assertTrue(np.all(np.diff(at) > 0))
        self.assertTrue(np.all(high > 0.9) and np.all(low < -0.9) and np.all(np.abs(mean) < 0.5))

    def test_an_upper_envelope_goes_through_the_peaks_and_the_end(self):
        time = np.linspace(0, 10, 5001)
        values = np.abs(np.sin(20 * time)) + np.exp(3 * (time - 10))
        at, largest = curves.upper_envelope(time, values)
        self.assertLess(len(at), 100)
        self.assertGreater(largest.min(), 0.99)
        self.assertEqual(largest[-1], values.max())

    def test_a_smooth_curve_is_no_oscillation_whatever_its_rounding(self):
        values = 1 + 1e-15 * np.random.default_rng(1).standard_normal(1000) + np.linspace(0, 1, 1000)
        self.assertLess(curves.count_of_extremes(values), curves.MANY_EXTREMES)

    def test_curves_that_lie_on_one(self):
        time = np.linspace(0, 1, 100)
        self.assertTrue(curves.lie_on_one([(time, 1 + 1e-3 * time), (time, np.exp(-time))]))
        self.assertFalse(curves.lie_on_one([(time, 1 - 0.5 * time), (time, np.exp(-time))]))


if __name__ == "__main__":
    unittest.main()
