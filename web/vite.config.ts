import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
// @ts-expect-error: only the config is loaded by Node itself, which wants the ending
import { precache } from "./src/sw.ts";

// The page is part of the Python package: it is built there, and the wheel has it.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), precache()],
  build: {
    outDir: "../src/five211/server/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the page's own policy allows no data: scripts or styles
  },
  server: {
    fs: { allow: [".", "../docs"] }, // the proof's test vectors are the documented ones
    proxy: {
      "/api": "http://127.0.0.1:5211",
      "/socket": { target: "ws://127.0.0.1:5211", ws: true },
    },
  },
  resolve: mode === "test" ? { conditions: ["browser"] } : {}, // else tests get Svelte's server side
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
}));
