// What a screen paints: one look for each colour of each edition. `paint` is what the edition
// files say (tests/test_palette.py compares and measures them), `tone` is the quiet pattern on
// it, `ink` is what is written on it. Every card, pip and shape has both outlines, the dark one
// inside the light one, so that one of them stands out from the table by day and by night.

export const DARK = "#151C24";
export const LIGHT = "#FFFDF7";

export type Color = "Y" | "G" | "O" | "B" | "V";
export type Look = { paint: string; tone: string; ink: string };

const CLASSIC: Record<Color, Look> = {
  Y: { paint: "#FFE14D", tone: "#F7BE22", ink: DARK },
  G: { paint: "#1FB58A", tone: "#0E9871", ink: DARK },
  O: { paint: "#E8731A", tone: "#CB5607", ink: DARK },
  B: { paint: "#12397F", tone: "#2E5CAE", ink: LIGHT },
  V: { paint: "#8E44E6", tone: "#A96CF3", ink: LIGHT },
};

const AZUL: Record<Color, Look> = {
  Y: { paint: "#FFDC5E", tone: "#F3B12F", ink: DARK },
  G: { paint: "#0B7A55", tone: "#2B9E77", ink: LIGHT },
  O: { paint: "#F27A1A", tone: "#D25A05", ink: DARK },
  B: { paint: "#13306B", tone: "#37609F", ink: LIGHT },
  V: { paint: "#2CC5D8", tone: "#109DB2", ink: DARK },
};

export const COLORS: readonly Color[] = ["Y", "G", "O", "B", "V"];

/** How a colour of an edition looks; an edition that is unknown here looks classic. */
export function look(edition: string, color: Color): Look {
  return (edition === "azul" ? AZUL : CLASSIC)[color];
}
