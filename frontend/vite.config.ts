import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Where `npm run dev` sends API calls; the built interface is served by the API itself and needs none of this. */
const api = process.env.PLUMBLINE_URL ?? "http://127.0.0.1:8480";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: api, changeOrigin: false } },
  },
  build: {
    target: "es2023",
    sourcemap: false,
    // Fonts and images stay files: the content security policy allows our own origin and no data: addresses for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  test: {
    globals: false,
    css: false,
    restoreMocks: true,
    // To load React, Mantine and the charts anew for each file, and to make a document, took three quarters of the time.
    isolate: false,
    // A dialog takes seconds to draw on a busy machine.
    testTimeout: 30_000,
    // What draws needs a document, which takes longer to make than most of the others take to run.
    projects: [
      { extends: true, test: { name: "plain", environment: "node", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "drawn",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["src/shared/testing/setup.ts"],
        },
      },
    ],
  },
});
