import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// Starts nothing by itself: PLUMBLINE_URL names a running stack with its lab fleet, PLUMBLINE_LOGINS the file of demo
// logins. The machine may be slow and busy, so waits are long and nothing sleeps for a fixed time.
const url = process.env.PLUMBLINE_URL ?? "http://127.0.0.1:8080";
const browser = process.env.PLUMBLINE_CHROMIUM ?? ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

const isTraced = process.env.PLUMBLINE_TRACE === "full";

export default defineConfig({
  testDir: "journeys",
  globalSetup: "./fleet-is-in.ts",
  timeout: 120_000,
  expect: { timeout: 30_000 },
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    baseURL: url,
    ignoreHTTPSErrors: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    // Snapshots of the page at every action cost more than the actions: they are taken on request (PLUMBLINE_TRACE=full), to look at a failure.
    trace: { mode: "retain-on-failure", snapshots: isTraced, screenshots: isTraced, sources: isTraced },
    screenshot: "only-on-failure",
    launchOptions: { executablePath: browser, args: ["--no-sandbox", "--disable-dev-shm-usage"] },
  },
});
