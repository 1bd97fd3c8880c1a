import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { InTheFleet } from "./in-the-fleet";
import type { AssessedHost, FleetHost } from "./types";

const fleetHost = (name: string, likeness: FleetHost["likeness"], identity: string): FleetHost => ({
  id: (name === "esx-01" ? "0a" : "0b").repeat(16),
  name,
  source: "agent",
  likeness,
  identity,
  last_seen_at: "2026-01-12T13:56:02Z",
});

function show(about: Partial<AssessedHost>) {
  const host = { id: 34, has_settings: true, fleet: [], ...about } as AssessedHost;
  drawPage(<InTheFleet host={host} />);
}

it("links to the one host that it is, with the marks that say so", async () => {
  show({ fleet: [fleetHost("esx-01", "same", "same name, and 4 of 4 adapters have the same MAC address")] });
  const link = await screen.findByRole("link", { name: "Compare with esx-01 today" });
  expect(link.getAttribute("href")).toBe(`/hosts/${"0a".repeat(16)}/compare?with=bundle&assessed=34`);
  expect(screen.getByText(/Same name, and 4 of 4 adapters have the same MAC address\./)).toBeInTheDocument();
});

it("does not guess between several hosts with the same marks", async () => {
  show({ fleet: [fleetHost("esx-01", "same", "same name, and 4 of 4"), fleetHost("esx-01.lab", "same", "same name, and 4 of 4")] });
  expect(await screen.findByText("Several hosts of the fleet may be this one")).toBeInTheDocument();
  expect(screen.getAllByRole("link")).toHaveLength(2);
});

it("says that a host of the same name may be another", async () => {
  show({ fleet: [fleetHost("esx-01", "other", "same name, but no adapter in the bundle has a MAC address of this host")] });
  expect(await screen.findByText("It is not certain that this host is in the fleet")).toBeInTheDocument();
  expect(screen.getByText("Same name, but no adapter in the bundle has a MAC address of this host.")).toBeInTheDocument();
});

it("says why there is nothing to compare with", async () => {
  show({});
  expect(await screen.findByText("No host in the fleet has this name or these adapters.")).toBeInTheDocument();
});

it("says that a bundle of an earlier version has to be uploaded again", async () => {
  show({ has_settings: false });
  expect(await screen.findByText(/Upload it again to compare it or preview a plan/)).toBeInTheDocument();
});
