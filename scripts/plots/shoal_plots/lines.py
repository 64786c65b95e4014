"""Which attributes tell lines apart, their looks, and the legend that follows from both."""

from matplotlib.lines import Line2D

from . import style, words
from .results import HOUSEKEEPING

FIRST = ["discretization", "integrator", "advection", "mesh_name"]
LAST = ["dt", "substeps", "linear_solver"]  # these often follow from the others
FULL_ENTRIES = 9  # up to this number, each line has its own entry, even if lines differ in several attributes


def groups_of(items, keys):
    return len({tuple(str(item.get(key)) for key in keys) for item in items})


def telling(runs, without=()):
    """The fewest attributes, the scheme first, that distinguish runs that agree in the attributes `without`."""
    attributes = [run.attributes for run in runs]
    names = FIRST + sorted(set().union(*attributes) - HOUSEKEEPING - {*FIRST, *LAST}) + LAST
    names = [name for name in names if name not in without]
    keys = []
    for name in names:
        if groups_of(attributes, [*without, *keys, name]) > groups_of(attributes, [*without, *keys]):
            keys.append(name)
    for name in [*reversed(keys)]:  # removes attributes that later ones made unnecessary
        rest = [key for key in keys if key != name]
        if groups_of(attributes, [*without, *rest]) == groups_of(attributes, [*without, *keys]):
            keys = rest
    return keys


def constants(drawn, everything, without=()):
    """The common settings of the drawn runs: scheme, mesh and step, and any other setting that differs among `everything`.

    Gives a sentence: "sphere-bump on icosphere:4; fefv · explicit; Δt = 1/60 s; A = 0.1 m".
    """
    for name in ("scene", "discretization"):  # other scenes and schemes have other parameters
        if len({run.get(name) for run in drawn}) == 1:
            everything = [run for run in everything if run.get(name) == drawn[0].get(name)]

    def shared(name):
        values = {str(run.get(name)) for run in drawn}
        return drawn[0].get(name) if len(values) == 1 and name not in without else None

    def differs(name):
        return len({str(run[name]) for run in everything if run.get(name) is not None}) > 1

    place = [shared("scene"), shared("mesh_name")]
    scheme = [text for text in (shared("discretization"), shared("integrator")) if text]
    parts = [" on ".join(text for text in place if text), " · ".join(scheme)]
    names = sorted(set().union(*(run.attributes for run in drawn)) - HOUSEKEEPING - {"scene", "mesh_name", *FIRST, *LAST})
    for name in ["dt", "advection", *names, "substeps"]:
        if shared(name) is not None and (differs(name) or name == "dt"):
            parts.append(words.attribute_text(name, shared(name)))
    return "; ".join(part for part in parts if part)


class Lines:
    """Lines that differ in the values of `keys`: each combination has a label and a look of its own.

    `items` are the attributes of what is drawn; without `dashed` they are marks that no line joins. `look[values]` and `label[values]` are by `values_of(attributes)`.
    """

    def __init__(self, items, keys, name_of=words.name_of, text_of=words.attribute_text, value_of=words.value_text, dashed=True):
        self.keys = [key for key in keys if groups_of(items, [key]) > 1] or list(keys[:1])
        self.value_of, self.name_of, self.dashed = value_of, name_of, dashed
        self.combinations = list(dict.fromkeys(self.values_of(item) for item in items))
        names = {values[0] for values in self.combinations} if self.keys == ["integrator"] and not dashed else set()
        self.integrators = names <= set(style.INTEGRATORS) and not names <= set(style.FIXED["integrator"])  # more than those with a colour
        if self.integrators:
            self.combinations.sort(key=lambda values: list(style.INTEGRATORS).index(values[0]))
        self.label = {values: words.joined(text_of(key, value) for key, value in zip(self.keys, values) if value != "")
                      for values in self.combinations}
        for values in self.combinations:
            self.label[values] = self.label[values] or self._own_text(items, values, text_of)
        self.channels = self._channels()
        self.look = self._looks()

    def _own_text(self, items, values, text_of):
        """The name of a line that has none of the keys: an attribute in which it differs from all others."""
        mine = [item for item in items if self.values_of(item) == values]
        others = [item for item in items if self.values_of(item) != values]
        for key in [*FIRST, *LAST] if others else []:
            own = mine[0].get(key)
            if own is not None and all(str(item.get(key)) == str(own) for item in mine) and all(str(item.get(key)) != str(own) for item in others):
                return text_of(key, own)
        return words.renamed("") or ("others" if others else "")

    def values_of(self, item):
        """The values of the keys, "" if the item has none."""
        return tuple("" if item.get(key) is None else str(item.get(key)) for key in self.keys)

    def place(self, item):
        """The number of the line of an item."""
        return self.combinations.index(self.values_of(item))

    def _channels(self):
        """The positions of the keys that colour, dashes and marker represent: [("color", [0]), …], or None.

        The key of most values gets the colour, but the integrator gets it where it is one; keys beyond the third go with
        the marker.
        """
        if len(self.keys) < 2:
            return None
        count = [len({values[place] for values in self.combinations}) for place in range(len(self.keys))]
        order = sorted(range(len(self.keys)), key=lambda place: (self.keys[place] not in style.FIXED, -count[place]))
        parts = {"color": [order[0]], "linestyle": [order[1]], "marker": order[2:]} if self.dashed else {
            "color": [order[0]], "marker": order[1:]}
        channels = [(channel, part) for channel, part in parts.items() if part]
        for channel, part in channels:
            if len({tuple(values[place] for place in part) for values in self.combinations}) > style.CAPACITY[channel]:
                return None
        return channels

    def _looks(self):
        if not self.channels:
            result = dict(zip(self.combinations, style.looks()))
            if self.integrators:
                return {values: {**style.INTEGRATORS[values[0]], "linestyle": "none"} for values in self.combinations}
            if len(self.keys) == 1 and self.keys[0] in style.FIXED and len(result) <= len(style.PALETTE):
                colours = style.values_of("color", self.keys[0], [values[0] for values in self.combinations])
                for values, look in result.items():
                    look["color"] = colours[values[0]]
            return result
        result = {values: {} for values in self.combinations}
        for channel, part in self.channels:
            chosen = self._channel_values(channel, part)
            for values, look in result.items():
                look[channel] = chosen[tuple(values[place] for place in part)]
        for look in result.values():  # with two channels, the marker follows the colour
            look.setdefault("marker", style.MARKERS[style.PALETTE.index(look["color"])])
            look.setdefault("linestyle", "none")
        return result

    def _channel_values(self, channel, part):
        """(values of these keys) → colour, dashes or marker."""
        options = list(dict.fromkeys(tuple(values[place] for place in part) for values in self.combinations))
        name = self.keys[part[0]] if len(part) == 1 else ""
        flat = style.values_of(channel, name, [option[0] if len(option) == 1 else option for option in options])
        return dict(zip(options, (flat[option[0] if len(option) == 1 else option] for option in options)))

    def _key_text(self, part, option):
        if len(part) == 1:
            return words.renamed(self.value_of(self.keys[part[0]], option[0])) if option[0] != "" else "–"
        return words.joined(words.attribute_text(self.keys[place], value)
                            for place, value in zip(part, option) if value != "") or "–"

    def legend(self, only=None):
        """[(heading, {text: handle})] of all lines, or of the combinations `only`: one entry per line or, for many lines, one
        per value of each attribute."""
        def handle(**look):
            return Line2D([], [], **{"linewidth": 1.1, **look})

        shown = self.combinations if only is None else only
        if not self.channels or len(shown) <= FULL_ENTRIES:
            return [("", {self.label[values]: handle(**self.look[values]) for values in shown if self.label[values]})]
        groups = []
        for channel, part in self.channels:
            entries = {}
            for option, chosen in self._channel_values(channel, part).items():
                look = {"color": style.GREY, "linestyle": "none" if channel == "marker" else "-", channel: chosen}
                if channel == "color" and len(self.channels) == 2:
                    look["marker"] = style.MARKERS[style.PALETTE.index(chosen)]
                shown = handle(**look) if channel != "marker" else Line2D([], [], **look)
                entries[self._key_text(part, option)] = shown
            groups.append((self.name_of(self.keys[part[0]]) if len(part) == 1 else "", entries))
        return groups
