// Around a television's tally.

/** Which seats sit left and right of the middle. */
export function sides(count: number): [number[], number[]] {
  const all = Array.from({ length: count }, (_, seat) => seat);
  const half = Math.ceil(count / 2);
  return [all.slice(0, half), all.slice(half)];
}
