// For the build only: writes the list of the built files into the service worker (public/sw.js).
import type { Plugin } from "vite";

/** Files that no screen asks for. */
const LEFT_OUT = /(^|\/)(sw\.js|stamp\.txt|robots\.txt)$|\.map$/;

export interface Built {
  name: string;
  body: Uint8Array;
}

/** The paths to be kept: each once, in an order that does not depend on the machine. */
export function listed(names: string[]): string[] {
  const wanted = names.filter((name) => !LEFT_OUT.test(name));
  return [...new Set(wanted.map((name) => `/${name}`))].sort();
}

/** A version that changes with every file, its name, and the worker itself. */
export async function versionOf(files: Built[], worker: string): Promise<string> {
  const text = new TextEncoder();
  const hash = async (body: Uint8Array) => {
    const sum = await crypto.subtle.digest("SHA-256", new Uint8Array(body));
    return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const ordered = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = await Promise.all(
    ordered.map(async ({ name, body }) => `${name} ${await hash(body)}`),
  );
  return (await hash(text.encode([worker, ...lines].join("\n")))).slice(0, 16);
}

/** The worker with its list. */
export async function filledIn(worker: string, files: Built[]): Promise<string> {
  const kept = files.filter(({ name }) => !LEFT_OUT.test(name));
  const list = JSON.stringify(listed(kept.map(({ name }) => name)));
  const version = JSON.stringify(await versionOf(kept, worker));
  const out = worker.replace('"__VERSION__"', version).replace('["__FILES__"]', list);
  if (out.includes("__FILES__") || out.includes("__VERSION__"))
    throw new Error("sw.js has no place for the list of files");
  return out;
}

export function precache(): Plugin {
  let folder = "";
  return {
    name: "five211-precache",
    apply: "build",
    configResolved(config) {
      const { root, build } = config;
      folder = /^([a-z]:)?[/\\]/i.test(build.outDir) ? build.outDir : `${root}/${build.outDir}`;
    },
    // Once all is on the disk, what was copied from public/ too.
    async writeBundle() {
      const { fs } = this;
      const walk = async (under: string): Promise<Built[]> => {
        const found = await fs.readdir(folder + under, { withFileTypes: true });
        const inside = await Promise.all(
          found.map(async (one) => {
            const path = `${under}/${one.name}`;
            if (one.isDirectory()) return walk(path);
            return [{ name: path.slice(1), body: await fs.readFile(folder + path) }];
          }),
        );
        return inside.flat();
      };
      const worker = await fs.readFile(`${folder}/sw.js`, { encoding: "utf8" });
      await fs.writeFile(`${folder}/sw.js`, await filledIn(worker, await walk("")));
    },
  };
}
