// Which screen: a path of the page. What follows # is never sent to a server.

export interface Route {
  screen: string;
  id: string;
  /** What follows #: a secret at a table or a television, a place within the other screens. */
  fragment: string;
}

const WITH_ID = ["t", "game"];

function read(): Route {
  const [, screen = "", id = "", ...more] = location.pathname
    .replace(/^\/index\.html\/?$/, "/")
    .split("/");
  const lost = more.some(Boolean) || WITH_ID.includes(screen) !== (id !== "");
  return {
    screen: lost ? "lost" : screen,
    id: decoded(id),
    fragment: decoded(location.hash.slice(1)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // somebody typed a lone per cent sign
  }
}

export const route: { now: Route } = $state({ now: read() });

addEventListener("popstate", () => {
  route.now = read();
});

export function go(path: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  route.now = read();
  scrollTo(0, 0);
  if (!replace) toTheTitle();
}

let moves = 0; // how often the focus has moved
addEventListener("focusin", () => {
  moves += 1;
});

/** Whoever cannot see that the screen has changed hears its title. */
function toTheTitle(since = moves, tries = 40): void {
  setTimeout(() => {
    if (moves !== since) return; // who has moved on by now stays there
    const title = document.querySelector<HTMLElement>("main h1");
    if (!title && tries > 0) toTheTitle(since, tries - 1);
    if (!title) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }, 50);
}

/** Take a secret out of the address, so that it is not passed on by accident. */
export function hideSecret(): void {
  history.replaceState(null, "", location.pathname);
}

/** Links within the page need no load: `<a href use:link>`. */
export function link(node: HTMLAnchorElement): void {
  node.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(node.getAttribute("href") ?? "/");
  });
}
