import "@testing-library/jest-dom/vitest";
import { notifications } from "@mantine/notifications";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// Files share their modules, and with them the notifications.
afterEach(() => {
  cleanup();
  notifications.clean();
});
configure({ asyncUtilTimeout: 10_000 });

// A browser resolves "/api/…" against the page; Node's Request takes whole addresses only.
const WholeRequest = globalThis.Request;
globalThis.Request = class extends WholeRequest {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === "string" ? new URL(input, "http://localhost") : input, init);
  }
};

// jsdom lays nothing out, loads no fonts and has no media queries; Mantine asks for all three.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
}));
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
