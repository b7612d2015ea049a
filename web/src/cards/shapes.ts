// The five shapes, as paths of any size at any place, and the patterns made of them.
import type { Color } from "./paint";

const at = (x: number, y: number) => `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;

/** A polygon whose corners lie by turns on circles of the radii; a negative count cuts a hole. */
function ring(x: number, y: number, corners: number, radii: number[], turn = 0): string {
  const points = Array.from({ length: Math.abs(corners) }, (_, i) => {
    const angle = (i / corners) * 2 * Math.PI - Math.PI / 2 + (turn * Math.PI) / 180;
    const r = radii[i % radii.length] ?? 0;
    return at(x + r * Math.cos(angle), y + r * Math.sin(angle));
  });
  return `M${points.join("L")}Z`;
}

/** A leaf from its stem to its tip: the length is twice r, the tip points to `turn`, 0 is up. */
function leaf(x: number, y: number, r: number, turn: number): string {
  const angle = (turn * Math.PI) / 180;
  const dx = r * Math.sin(angle);
  const dy = -r * Math.cos(angle);
  const bend = at(r * 1.12, r * 1.12);
  const tip = at(x + dx, y + dy);
  const stem = at(x - dx, y - dy);
  const vein = at(x + dx * 0.3, y + dy * 0.3);
  const side = (k: number) => at(x - dx * 0.86 + dy * k, y - dy * 0.86 - dx * k);
  return `M${stem}A${bend} 0 0 1 ${tip}A${bend} 0 0 1 ${stem}ZM${side(-0.08)}L${vein}L${side(0.08)}Z`;
}

/** The shape of a colour around a middle, as large as a disc of radius r looks. */
export function shape(color: Color, x: number, y: number, r: number): string {
  if (color === "Y") return ring(x, y, 20, [r * 1.08, r * 0.84]);
  if (color === "G") return leaf(x, y, r * 1.2, 40);
  if (color === "O") return ring(x, y, 4, [r * 1.2, r * 0.92]);
  if (color === "B") return ring(x, y, 4, [r * 1.22], 45);
  return ring(x, y + r * 0.08, 10, [r * 1.16, r * 0.6]);
}

/** Where a pattern may be: not under the corners' signs (they take half a side each). */
function free(x: number, y: number): boolean {
  const index = (px: number, py: number) => px < 23 && py < 66;
  return !index(x, y) && !index(100 - x, 140 - y);
}

/** Classic: the shape strewn over the field like a printed cloth. */
function cloth(color: Color): string {
  let path = "";
  for (let row = -10; row <= 10; row++)
    for (let column = -4; column <= 3; column++) {
      const x = 50 + 12.34 * (column + (row % 2 === 0 ? 0.5 : 0));
      const y = 70 + 6.2 * row;
      const hidden = Math.abs(x - 50) < 28 && Math.abs(y - 70) < 48;
      if (!hidden && free(x, y)) path += shape(color, x, y, 3.2);
    }
  return path;
}

/** One azulejo, 18 wide, made of the colour's shape. */
function tile(color: Color, x: number, y: number): string {
  if (color === "Y")
    return ring(x, y, 24, [7.4, 6.1]) + ring(x, y, -24, [4.2]) + shape("Y", x, y, 2.2);
  if (color === "G")
    return (
      leaf(x + 4, y - 4, 5.1, 45) +
      leaf(x + 4, y + 4, 5.1, 135) +
      leaf(x - 4, y + 4, 5.1, 225) +
      leaf(x - 4, y - 4, 5.1, 315)
    );
  if (color === "O")
    return ring(x, y, 4, [8.8, 8.6]) + ring(x, y, -4, [6, 5.8]) + ring(x, y, 4, [3.6, 3.4]);
  if (color === "B") return ring(x, y, 16, [7.8, 5.97]) + ring(x, y, -4, [2.6], 45);
  const joint = (jx: number, jy: number) => (free(jx, jy) ? ring(jx, jy, 8, [2.5, 0.9]) : "");
  return (
    shape("V", x, y, 5.4) +
    joint(x - 9.1, y) +
    joint(x + 9.1, y) +
    joint(x, y - 9.36) +
    joint(x, y + 9.36)
  );
}

/** Azul: a frame of tiles around the plaque, five across and seven down. */
function tiles(color: Color): string {
  let path = "";
  for (let row = 0; row < 7; row++)
    for (let column = 0; column < 5; column++) {
      const x = 13.6 + column * 18.2;
      const y = 13.86 + row * 18.71;
      const inside = column % 4 > 0 && row % 6 > 0;
      if (!inside && free(x, y)) path += tile(color, x, y);
    }
  return path;
}

/** The back: a quilt of diamonds, or the dots between them. */
export function quilt(dots: boolean): string {
  let path = "";
  for (let row = dots ? 1 : 0; row < 9; row++)
    for (let column = dots ? 1 : 0; column < 7; column++)
      path += dots
        ? ring(4.3 + 13.057 * column, 4.3 + 14.6 * row, 4, [2.2, 2])
        : ring(4.3 + 13.057 * (column + 0.5), 4.3 + 14.6 * (row + 0.5), 4, [7.3, 6.53]);
  return path;
}

const drawn = new Map<string, string>();

/** The pattern of a card's field. */
export function pattern(edition: string, color: Color): string {
  const key = edition + color;
  let path = drawn.get(key);
  if (path === undefined) {
    path = edition === "azul" ? tiles(color) : cloth(color);
    drawn.set(key, path);
  }
  return path;
}
