import { expect, it } from "vitest";
import { seriesOfItems } from "./series-of-items";

it("names the retransmits of each host once, then the counters of its items, at most eight", () => {
  const items = [
    { hostId: "a", kind: "volume", id: "v1" },
    { hostId: "a", kind: "volume", id: "v1" },
    { hostId: "b", kind: "host", id: "" },
    { hostId: "a", kind: "adapter", id: "m1" },
    { hostId: "b", kind: "adapter", id: "m2" },
  ];
  expect(seriesOfItems(items)).toEqual([
    "a~host/:tcp_retransmit_percent",
    "b~host/:tcp_retransmit_percent",
    "a~volume/v1:read_latency_us",
    "a~volume/v1:write_latency_us",
    "a~adapter/m1:bytes_received",
    "a~adapter/m1:bytes_sent",
    "a~adapter/m1:drops_received",
    "a~adapter/m1:pause_received",
  ]);
});
