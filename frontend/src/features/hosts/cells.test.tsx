import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { draw } from "@/shared/testing/render";
import { Notes } from "./cells";

describe("the notes beside a host's worst finding", () => {
  const nothing = { alarm: "", failed_sections: [], is_restart_pending: false };

  it("are short in the row and whole for a screen reader and on hover", () => {
    draw(<Notes host={{ ...nothing, alarm: "two machines", failed_sections: ["mpio", "dcb"], is_restart_pending: true }} />);
    expect(screen.getByText(/^Alarm \+2$/)).toHaveAttribute("aria-hidden", "true");
    const whole = "Alarm: two machines; 2 sections not read: mpio, dcb; Restart pending";
    expect(screen.getByText(whole)).toBeInTheDocument();
    expect(screen.getByTitle(whole)).toBeInTheDocument();
  });
  it("count the sections that were not read", () => {
    draw(<Notes host={{ ...nothing, failed_sections: ["mpio"] }} />);
    expect(screen.getByText("1 section not read")).toBeInTheDocument();
    expect(screen.getByText("1 section not read: mpio")).toBeInTheDocument();
  });
  it("are nothing where there is nothing to note", () => {
    draw(<Notes host={nothing} />);
    expect(screen.queryByTitle(/./)).not.toBeInTheDocument();
  });
});
