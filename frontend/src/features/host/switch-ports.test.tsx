import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { drawPage } from "@/shared/testing/render";
import { SwitchPorts } from "./switch-ports";
import type { PathMap } from "./types";

type Adapter = PathMap["adapters"][number];

const HEARD: NonNullable<Adapter["switch"]> = {
  id: "san-1(foc1)",
  name: "san-1",
  port: "Ethernet1/17",
  platform: "N5K-C5548UP",
  address: "10.0.0.2",
  mtu: 9216,
  native_vlan: 110,
  protocol: "cdp",
  unknown: "",
  cause: "",
  remote_classes: [],
  own_classes: [],
  remote_flow_control: [],
  own_flow_control: [],
};
const NOTHING = { ...HEARD, id: "", name: "", port: "", platform: "", address: "", mtu: null, native_vlan: null, protocol: "" };

const adapter = (name: string, heard: Adapter["switch"]): Adapter => ({
  id: name,
  name,
  role: "san_iscsi",
  family: "x520",
  fabric: "",
  link_up: true,
  addresses: [],
  issue: "",
  switch: heard,
});

async function drawn(...adapters: Adapter[]) {
  drawPage(
    <main>
      <SwitchPorts adapters={adapters} />
    </main>,
  );
  await screen.findByRole("main");
}

it("names the switch port of each adapter", async () => {
  await drawn(adapter("vmnic4", HEARD));
  const row = screen.getByRole("row", { name: /vmnic4/ });
  for (const text of ["san-1", "Ethernet1/17", "9216", "110", "N5K-C5548UP", "CDP"]) expect(row).toHaveTextContent(text);
  expect(within(row).getByRole("link", { name: "san-1" })).toHaveAttribute("href", expect.stringContaining("/switches/san-1"));
});

it("says why a switch is not known, and figures that are not announced are no zeros", async () => {
  await drawn(adapter("vmnic5", { ...NOTHING, unknown: "the link is down" }));
  const row = screen.getByRole("row", { name: /vmnic5/ });
  expect(row).toHaveTextContent("The link is down");
  expect(row).not.toHaveTextContent("0");
});

it("names the port that loses large frames", async () => {
  const cause = "san-1 Ethernet1/17 announces MTU 1500, and the host sends 9000: the likely cause of the frames that do not get through";
  await drawn(adapter("vmnic4", { ...HEARD, mtu: 1500, cause }));
  expect(screen.getByRole("row", { name: /vmnic4/ })).toHaveTextContent(cause);
});

it("shows what the switch announces by DCBX beside the host's own, marked where they differ", async () => {
  const dcbx = { remote_classes: ["0:ets:50:0"], own_classes: ["0:ets:30:0"], remote_flow_control: [3], own_flow_control: [3] };
  await drawn(adapter("ch_p0", { ...NOTHING, unknown: "Windows has no command", ...dcbx }));
  const table = screen.getByRole("table", { name: "DCBX" });
  expect(table).toHaveTextContent("Host: class 0 ETS 30% (priorities 0). Switch: class 0 ETS 50% (priorities 0).");
  expect(table).toHaveTextContent("Host: 3. Switch: 3.");
  expect(within(table).getAllByText("Differs")).toHaveLength(1);
});

it("is not there for a host that was never asked", async () => {
  await drawn(adapter("vmnic4", null));
  expect(screen.queryByRole("table")).not.toBeInTheDocument();
});
