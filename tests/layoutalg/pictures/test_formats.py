"""Every value in every format: well-formed, self-contained, the same each time."""

from __future__ import annotations

import itertools
import math
import random
import re
import subprocess
import sys
from xml.etree.ElementTree import fromstring

import matplotlib.image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv, FloorMod
from layoutalg.length import sizes
from layoutalg.pictures import as_svg, as_text, mimebundle, view_of, write_view
from layoutalg.pictures.as_latex import spelled
from layoutalg.pictures.picture_file import FORMATS, rendered
from layoutalg.pictures.views.mma import instruction_named
from tests.layoutalg.pictures.shown_values import BLOG, VALUES
from tests.refusals import refused

W3C = re.compile(r"http://www\.w3\.org/[\w/]+")
FETCHES = ("http:", "https:", "url(", "@import", "<link", "src=", "<script src")


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", VALUES)
def test_notebooks_get_html_svg_and_text(name):
    bundle = VALUES[name]._repr_mimebundle_()
    assert {"text/html", "image/svg+xml", "text/plain"} <= set(bundle)
    assert bundle["text/plain"] == as_text(view_of(VALUES[name]))
    assert fromstring(bundle["image/svg+xml"]).tag == "{http://www.w3.org/2000/svg}svg"
    for text in bundle.values():
        plain = W3C.sub("", text)
        assert not any(sign in plain for sign in FETCHES)
    assert VALUES[name]._repr_mimebundle_() == bundle
    assert list(mimebundle(VALUES[name], include=["text/plain"])) == ["text/plain"]
    assert "text/html" not in mimebundle(VALUES[name], exclude=["text/html"])


@pytest.mark.parametrize("name", VALUES)
def test_html_is_well_formed(name):
    html = mimebundle(VALUES[name])["text/html"].replace("&nbsp;", " ")
    fromstring(html)


@pytest.mark.parametrize("name", VALUES)
def test_pictures_stay_within_their_frame(name):
    root = fromstring(as_svg(view_of(VALUES[name])))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert width > 50
    assert height > 30
    for x, y in corners(root, 0.0, 0.0):
        assert 0 <= x <= width + 0.5
        assert 0 <= y <= height + 0.5


TILES = {
    "wmma": instruction_named("v_wmma_f32_16x16x16_f16"),
    "blocks": instruction_named("v_mfma_f32_4x4x1f32", "gfx908"),
    "swizzle": make_naive_tensor_descriptor((16, 64), (64, 1)).unmerge(1, (8, 8)).xor(0, 1).merge(1, 2),
}


@pytest.mark.parametrize("name", [*VALUES, *TILES])
def test_words_do_not_lie_on_each_other(name):
    lines: dict[float, list[tuple[float, float, str]]] = {}
    for left, y, text, anchor in words(fromstring(as_svg(view_of((VALUES | TILES)[name]))), 0.0, 0.0):
        wide = 6.6 * len(text)
        begin = left - {"end": 1.0, "middle": 0.5}.get(anchor, 0.0) * wide
        lines.setdefault(round(y, 1), []).append((begin, begin + wide, text))
    for line in lines.values():
        for one, other in itertools.pairwise(sorted(line)):
            assert one[1] <= other[0] + 1, (one, other)


def words(node, left, top):
    """Where each text stands, what it is, and by which end."""
    moved = re.match(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", node.attrib.get("transform", ""))
    if moved:
        left, top = left + float(moved[1]), top + float(moved[2])
    if node.tag.endswith("}text"):
        at = [float(node.attrib[key]) for key in ("x", "y")]
        yield left + at[0], top + at[1], "".join(node.itertext()), node.attrib.get("text-anchor", "start")
    for child in node:
        yield from words(child, left, top)


def corners(node, left, top):
    """The corners of all boxes, circles and letters, moved as the groups around them say."""
    moved = re.match(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", node.attrib.get("transform", ""))
    if moved:
        left, top = left + float(moved[1]), top + float(moved[2])
    at = {key: float(value) for key, value in node.attrib.items() if re.fullmatch(r"-?[\d.]+", value)}
    match node.tag.rpartition("}")[2]:
        case "rect":
            yield left + at["x"], top + at["y"]
            yield left + at["x"] + at["width"], top + at["y"] + at["height"]
        case "circle":
            yield left + at["cx"] - at["r"], top + at["cy"] - at["r"]
            yield left + at["cx"] + at["r"], top + at["cy"] + at["r"]
        case "text":
            wide = 6.7 * len("".join(node.itertext()))
            share = {"end": -1.0, "middle": -0.5}.get(node.attrib.get("text-anchor", "start"), 0.0)
            yield left + at["x"] + share * wide, top + at["y"]
            yield left + at["x"] + (share + 1) * wide, top + at["y"]
    for child in node:
        yield from corners(child, left, top)


@pytest.mark.slow
def test_a_picture_is_the_same_in_another_process():
    script = (
        "from layoutalg.pictures import as_svg, view_of; "
        "from tests.layoutalg.pictures.shown_values import VALUES; "
        "print(as_svg(view_of(VALUES['adaptor'])))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == as_svg(view_of(VALUES["adaptor"])).strip()


@pytest.mark.parametrize("form", FORMATS)
def test_files_hold_what_is_rendered(form, tmp_path):
    ends = {"text": "txt", "latex": "tex"}
    path = write_view(view_of(BLOG), tmp_path / "deep" / f"blog.{ends.get(form, form)}")
    content = path.read_bytes()
    made = rendered(view_of(BLOG), form)
    assert content == (made if isinstance(made, bytes) else made.encode())


def test_png_shows_letters_and_colours(tmp_path):
    path = write_view(view_of(VALUES["refuted"]), tmp_path / "refuted.png")
    pixels = matplotlib.image.imread(path)[:, :, :3]
    reds = (pixels[:, :, 0] > 0.7) & (pixels[:, :, 1] < 0.3)
    darks = pixels.max(axis=2) < 0.3
    assert reds.sum() > 300  # the frames around the witness
    assert darks.sum() > 1000  # letters
    assert pixels.mean() > 0.8


def test_an_unknown_format_or_ending_is_told(tmp_path):
    with refused(LayoutError, ".svg") as caught:
        write_view(view_of(BLOG), tmp_path / "blog.gif")
    assert "say the format" in caught.value.hint
    with refused(LayoutError, "text", "svg", "html", "png", "latex"):
        rendered(view_of(BLOG), "gif")
    assert not list(tmp_path.iterdir())


# LaTeX means what we mean


X, Y, N = sizes("x y N")


def forms():
    leaves = st.sampled_from([X, Y, N]) | st.integers(1, 9)

    def grown(inner):
        divisors = st.integers(1, 9) | st.just(N)
        return (
            st.builds(lambda a, b: a + b, inner, inner)
            | st.builds(lambda a, b: a * b, inner, inner)
            | st.builds(FloorDiv, inner, divisors)
            | st.builds(FloorMod, inner, divisors)
        )

    return st.recursive(leaves, grown, max_leaves=8)


def evaluated(latex, point):
    """LaTeX of sums, products, powers, floors of fractions and remainders, by Python."""
    text = latex.replace(r"\right\rfloor", "").replace(r"\left\lfloor", "")
    text = re.sub(r"\^\{(\d+)\}", r"**\1", text)
    text = text.replace("}{", ")//(").replace(r"\frac{", "((").replace("}", "))")
    text = text.replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\bmod", "%")
    text = re.sub(r"(?<=[\w)]) +(?=[\w(])", " * ", text)
    return eval(text, {"__builtins__": {}}, point)  # noqa: S307  our own text


@given(forms())
def test_latex_means_what_the_expression_means(form):
    latex = spelled(form)
    draw = random.Random(7)
    for _ in range(4):
        point = {name: draw.randint(1, 40) for name in ("x", "y", "N")}
        expected = form if isinstance(form, int) else form.subs({X: point["x"], Y: point["y"], N: point["N"]})
        assert evaluated(latex, point) == int(expected), latex


def test_brackets_are_not_doubled_and_words_are_upright():
    lane = sizes("lane")
    assert spelled(8 * FloorMod(lane, 4)) == r"8 \left(\mathrm{lane} \bmod 4\right)"
    assert math.isclose(evaluated(spelled(8 * FloorDiv(X, 4)), {"x": 17}), 32)


def test_the_picture_of_the_readme_is_this_one(snapshot):
    snapshot.check("blog_coordinate.svg", as_svg(view_of(VALUES["coordinate"])))
