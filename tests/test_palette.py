"""The palette works for every eye: measured on the colours that ship, not on a wish."""

import re
import tomllib
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from colorspacious import cspace_convert, deltaE  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]
PAINT = (ROOT / "web/src/cards/paint.ts").read_text(encoding="utf-8")
TABLES = {"day": "#F6F3EC", "night": "#1E2833"}
INKS = dict(re.findall(r'export const (DARK|LIGHT) = "(#[0-9A-F]{6})"', PAINT))
EYES = {"usual": 28, "protanomaly": 20, "deuteranomaly": 20, "tritanomaly": 20}  # at severity 100
EDITIONS = ("classic", "azul")


def looks(edition: str) -> dict[str, tuple[str, str]]:
    """Paint and ink of each colour, as the page has them."""
    block = PAINT.split(f"const {edition.upper()}: Record<Color, Look> = {{")[1].split("};")[0]
    row = r'(\w): \{ paint: "(#[0-9A-F]{6})", tone: "#[0-9A-F]{6}", ink: (\w+) \}'
    return {color: (paint, INKS[ink]) for color, paint, ink in re.findall(row, block)}


def rgb(code: str) -> list[float]:
    return [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def seen(code: str, eye: str) -> list[float]:
    if eye == "usual":
        return rgb(code)
    space = {"name": "sRGB1+CVD", "cvd_type": eye, "severity": 100}
    return [min(1.0, max(0.0, float(part))) for part in cspace_convert(rgb(code), space, "sRGB1")]


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""

    def luminance(code: str) -> float:
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in rgb(code)
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_page_paints_what_the_edition_says(edition: str) -> None:
    file = ROOT / f"src/five211/data/editions/{edition}.toml"
    says = tomllib.loads(file.read_text(encoding="utf-8"))["paint"]
    assert {color: paint for color, (paint, _) in looks(edition).items()} == says
    assert list(says) == list("YGOBV")


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_any_two_colours_differ_to_any_eye(edition: str, eye: str) -> None:
    paints = {color: seen(paint, eye) for color, (paint, _) in looks(edition).items()}
    apart = {
        one + other: float(deltaE(paints[one], paints[other], input_space="sRGB1"))
        for one, other in combinations(paints, 2)
    }
    pair = min(apart, key=apart.__getitem__)
    print(f"{edition}, {eye}: nearest {pair}, {apart[pair]:.1f}")
    assert apart[pair] >= EYES[eye], pair


@pytest.mark.parametrize(
    ("edition", "order", "close"), [("classic", "BVOGY", {"OG"}), ("azul", "BGOVY", set())]
)
def test_grey_print_keeps_the_order(edition: str, order: str, close: set[str]) -> None:
    grey = {
        color: float(cspace_convert(rgb(paint), "sRGB1", "CIELab")[0])
        for color, (paint, _) in looks(edition).items()
    }
    print(f"{edition}: lightness { {color: round(grey[color]) for color in grey} }")
    assert "".join(sorted(grey, key=grey.__getitem__)) == order
    for one, other in pairwise(order):
        # The pair that is close in grey is told apart by its shape and letter.
        assert grey[other] - grey[one] >= (4 if one + other in close else 9), one + other


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_written_on_a_colour_is_legible(edition: str) -> None:
    for color, (paint, ink) in looks(edition).items():
        assert contrast(paint, ink) >= 4.5, color
        assert contrast(paint, ink) == max(contrast(paint, one) for one in INKS.values()), color


@pytest.mark.parametrize("table", TABLES)
def test_an_outline_stands_out_from_each_table(table: str) -> None:
    """There are two, the dark inside the light: one serves by day, the other by night."""
    assert max(contrast(TABLES[table], ink) for ink in INKS.values()) >= 3


def test_the_two_outlines_stand_out_from_each_other() -> None:
    assert contrast(INKS["DARK"], INKS["LIGHT"]) >= 3


@pytest.mark.parametrize("drawing", ["Card", "Shape", "Lizard", "Rooster"])
def test_every_drawing_has_both_outlines(drawing: str) -> None:
    text = (ROOT / f"web/src/cards/{drawing}.svelte").read_text(encoding="utf-8")
    assert "stroke={DARK}" in text
    assert "stroke={LIGHT}" in text
    assert not re.search(r"\sstyle=", text), "the page's policy allows no style attributes"
