// What is kept in this browser. A browser that keeps nothing (private windows) plays all the same.

export function load<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`five211.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(`five211.${key}`, JSON.stringify(value));
  } catch {
    // It is only forgotten when the page closes.
  }
}
