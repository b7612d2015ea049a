// Which screen: a path of the page. What follows # is a secret that no server is ever sent.

export interface Route {
  screen: string;
  id: string;
  secret: string;
}

function read(): Route {
  const [, screen = "", id = ""] = location.pathname.split("/");
  return { screen, id: decodeURIComponent(id), secret: decodeURIComponent(location.hash.slice(1)) };
}

export const route: { now: Route } = $state({ now: read() });

addEventListener("popstate", () => {
  route.now = read();
});

export function go(path: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  route.now = read();
  scrollTo(0, 0);
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
