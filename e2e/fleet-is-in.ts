import { readdirSync } from "node:fs";
import { expect, type FullConfig, request } from "@playwright/test";
import { loginOf } from "./session";

const HOSTS = new URL("../agents/lab/hosts/", import.meta.url);

/**
 * Waits until every host of the lab has checked in once, those that Plumbline reads as well.
 *
 * A stack says that it is up as soon as its API answers; the hosts come one after the other in the seconds after that. Journeys count
 * hosts and choose among them, so none begins in the middle of it.
 */
export default async function fleetIsIn({ projects }: FullConfig): Promise<void> {
  const { baseURL, ignoreHTTPSErrors } = projects[0]?.use ?? {};
  const { login, password } = loginOf("viewer");
  const lab = readdirSync(HOSTS).map((file) => file.replace(/\.yaml$/, ""));
  const context = await request.newContext({ baseURL, ignoreHTTPSErrors });
  try {
    const signedIn = await context.post("/api/v1/session", { headers: { "X-Plumbline": "1" }, data: { login, password } });
    expect(signedIn.ok(), await signedIn.text()).toBeTruthy();
    const missing = async () => {
      const answer = await context.get("/api/v1/hosts?state=active&state=waiting&limit=100");
      const { items } = (await answer.json()) as { items: { name: string; last_seen_at: string | null }[] };
      const seen = items.filter((host) => host.last_seen_at !== null).map((host) => host.name);
      return lab.filter((name) => !seen.includes(name));
    };
    await expect.poll(missing, { message: "hosts of the lab that have not checked in", timeout: 180_000, intervals: [500] }).toEqual([]);
  } finally {
    await context.dispose();
  }
}
