import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { ApiProblem } from "@/shared/api/problem";
import { draw } from "@/shared/testing/render";
import { Empty, QueryPanel } from "./query-panel";
import { StatusLabel } from "./status";

const broken = new ApiProblem({ status: 500, title: "Internal error", detail: "the log has it", code: "internal", requestId: "req-77" });
const query = (about: object) => ({
  data: undefined as string[] | undefined,
  error: null as unknown,
  isPending: false,
  refetch: vi.fn(),
  ...about,
});

describe("a panel", () => {
  it("holds its place while it loads", () => {
    draw(
      <QueryPanel query={query({ isPending: true })} height={120}>
        {() => "there"}
      </QueryPanel>,
    );
    expect(screen.getByRole("status", { name: "Loading" })).toHaveStyle({ height: "120px" });
  });
  it("says what failed with the request id and tries again", async () => {
    const failing = query({ error: broken });
    draw(
      <QueryPanel query={failing} height={120}>
        {() => "there"}
      </QueryPanel>,
    );
    expect(screen.getByRole("alert")).toHaveTextContent("Internal error");
    expect(screen.getByRole("alert")).toHaveTextContent("req-77");
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(failing.refetch).toHaveBeenCalledOnce();
  });
  it("keeps what it knew and says that it is not up to date", () => {
    draw(
      <QueryPanel query={query({ data: ["old"], error: broken })} height={120}>
        {(data) => data.join()}
      </QueryPanel>,
    );
    expect(screen.getByText("old")).toBeInTheDocument();
    expect(screen.getByRole("alert")).toHaveTextContent("Couldn't refresh");
  });
  it("says why there is nothing", () => {
    draw(
      <QueryPanel query={query({ data: [] })} height={120} isEmpty={(data) => data.length === 0} empty={<Empty title="No pending hosts" />}>
        {() => "there"}
      </QueryPanel>,
    );
    expect(screen.getByText("No pending hosts")).toBeInTheDocument();
  });
  it("keeps a fault in drawing to itself", () => {
    const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const fault = (): never => {
      throw new Error("drawn wrong");
    };
    const Fault = () => fault();
    draw(
      <QueryPanel query={query({ data: ["x"] })} height={120}>
        {() => <Fault />}
      </QueryPanel>,
    );
    expect(screen.getByRole("alert")).toHaveTextContent("This page failed to load");
    quiet.mockRestore();
  });
});

it("never tells a status by colour alone", () => {
  const { container } = draw(<StatusLabel status="fail" />);
  expect(screen.getByText("Fail")).toBeInTheDocument();
  expect(container.querySelector("svg path")).not.toBeNull();
});
