// Numbers that change without moving: one digit takes as much room as two.
const FIGURE_SPACE = "\u2007";

export const steady = (count: number) => String(count).padStart(2, FIGURE_SPACE);
