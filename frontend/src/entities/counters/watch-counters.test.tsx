import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { drawPage } from "@/shared/testing/render";
import type { Charts, Watch } from "./types";
import { WatchCounters } from "./watch-counters";

const HOST = { id: "0a".repeat(16), name: "sql-01" };

const makeWatch = (about: Partial<Watch> = {}): Watch => ({
  id: 7,
  job_id: null,
  host: HOST,
  state: "running",
  requested_by: "oli",
  requested_at: new Date().toISOString(),
  seconds: 300,
  started_at: new Date().toISOString(),
  until: new Date(Date.now() + 240_000).toISOString(),
  ended_at: null,
  end_words: "",
  readings: 12,
  last_at: new Date().toISOString(),
  ...about,
});

const CHARTS: Partial<Charts> = {
  from: "2026-11-28T12:00:00Z",
  to: "2026-11-28T12:01:00Z",
  starts_at: "2026-11-28T12:00:00Z",
  step_seconds: 5,
  reading_seconds: 5,
  hosts: [],
  series: [],
  marks: [],
  references: [],
  comparison: null,
};

/** Draws it over an API that answers this; returns every request that was sent. */
function draw(
  watches: Watch[],
  about: { may_watch?: boolean; why_not?: string } = {},
  show?: (id: number | undefined) => void,
  job?: number,
) {
  const sent: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((request) => {
    const asked = request as Request;
    sent.push(asked.clone());
    const isList = asked.method === "GET" && asked.url.endsWith("/watches");
    const answer = isList ? { may_watch: true, why_not: "", watches, ...about } : asked.url.includes("/charts") ? CHARTS : makeWatch();
    return Promise.resolve(Response.json(answer));
  });
  drawPage(<WatchCounters host={HOST} {...(show ? { show } : {})} {...(job ? { job } : {})} />);
  return sent;
}

it("starts a watch of as many minutes as were chosen", async () => {
  const sent = draw([]);
  await userEvent.click(await screen.findByRole("button", { name: "Watch counters…" }));
  expect(await screen.findByRole("dialog", { name: "Watch counters of sql-01" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Start watch" }));
  await waitFor(() => expect(sent.some((one) => one.method === "POST")).toBe(true));
  const post = sent.find((one) => one.method === "POST");
  expect(post?.url).toContain(`/hosts/${HOST.id}/watches`);
  expect(await post?.json()).toEqual({ minutes: 5 });
});

it("says why a host can't be watched", async () => {
  draw([], { why_not: "The host key is not verified." }, () => undefined);
  const button = await screen.findByRole("button", { name: "Watch counters…" });
  expect(button).toBeDisabled();
  expect(screen.getByText("The host key is not verified.")).toBeVisible();
});

it("is left out of a page about something else where the host can't be watched", async () => {
  const sent = draw([], { why_not: "The host key is not verified." });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByRole("region", { name: "Watch" })).not.toBeInTheDocument();
});

it("offers nothing to who may not, and shows them a watch that runs", async () => {
  draw([makeWatch()], { may_watch: false });
  expect(await screen.findByText("Watching")).toBeVisible();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

it("leaves no empty region to who may not start one where there is none", async () => {
  const sent = draw([], { may_watch: false }, () => undefined);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByRole("region", { name: "Watch" })).not.toBeInTheDocument();
});

it("says what a running watch does and stops it", async () => {
  const sent = draw([makeWatch()]);
  const state = await screen.findByRole("status", { name: "State of the watch" });
  expect(state).toHaveTextContent(/Watching for another 4 min Started by oli, 12 readings/);
  expect(screen.queryByRole("button", { name: "Watch counters…" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Stop watch" }));
  await waitFor(() => expect(sent.some((one) => one.method === "POST" && one.url.endsWith("/watches/7/stop"))).toBe(true));
});

it("says how old the last reading is where none came for a while", async () => {
  draw([makeWatch({ last_at: new Date(Date.now() - 45_000).toISOString() })]);
  expect(await screen.findByRole("status", { name: "State of the watch" })).toHaveTextContent(/12 readings, the last 45 s ago/);
});

it("says that it signs in before the first reading", async () => {
  draw([makeWatch({ state: "waiting", readings: 0, started_at: null, until: null })]);
  expect(await screen.findByText("Signing in to the host…")).toBeVisible();
});

it("lists earlier watches that have readings, and shows the one that is chosen", async () => {
  const show = vi.fn();
  const ended = { state: "ended" as const, ended_at: "2026-11-28T12:05:00Z" };
  draw([makeWatch({ id: 9, ...ended, readings: 0 }), makeWatch({ id: 8, ...ended, readings: 60 })], {}, show);
  await userEvent.click(await screen.findByRole("combobox", { name: "Earlier watches" }));
  const options = screen.getAllByRole("option");
  expect(options).toHaveLength(1);
  await userEvent.click(options[0] as HTMLElement);
  expect(show).toHaveBeenCalledWith(8);
});

it("shows on a job's page the watch that the job started, also once it is over, until it is closed", async () => {
  const ended = { state: "ended" as const, ended_at: "2026-11-28T12:05:00Z" };
  draw([makeWatch({ id: 9, ...ended }), makeWatch({ id: 8, job_id: 12, ...ended })], {}, undefined, 12);
  const state = await screen.findByRole("status", { name: "State of the watch" });
  expect(state).toHaveTextContent(/Watch ended .*Started by job 12, 12 readings/);
  await userEvent.click(screen.getByRole("button", { name: "Close watch" }));
  expect(screen.queryByRole("status", { name: "State of the watch" })).not.toBeInTheDocument();
});
