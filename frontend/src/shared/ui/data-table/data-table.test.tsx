import { MantineProvider } from "@mantine/core";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { draw } from "@/shared/testing/render";
import { type Column, DataTable } from "./data-table";

interface Host {
  id: string;
  name: string;
  paths: number | null;
}

const HOSTS: Host[] = [
  { id: "1", name: "sql-02", paths: 4 },
  { id: "2", name: "esx-b07", paths: null },
  { id: "3", name: "win-fs1", paths: 2 },
];
const COLUMNS: Column<Host>[] = [
  { head: "host", cell: (host) => <a href={`/hosts/${host.id}`}>{host.name}</a>, isRowHead: true, sortValue: (host) => host.name },
  { head: "paths", cell: (host) => host.paths ?? "–", isNumber: true, sortValue: (host) => host.paths },
  { head: "change", isHeadHidden: true, cell: (host) => <button type="button">Change {host.name}</button> },
];
const table = (more: Partial<Parameters<typeof DataTable<Host>>[0]> = {}) => (
  <DataTable columns={COLUMNS} rows={HOSTS} rowKey={(host) => host.id} {...more} />
);
const names = () => screen.getAllByRole("rowheader").map((head) => head.textContent);

/** jsdom lays nothing out: the width that every place says it has. */
const placeIs = (width: number) => vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(width);
afterEach(() => vi.restoreAllMocks());

describe("a table of data", () => {
  it("is a real table with heads of columns and rows", () => {
    draw(table({ label: "Hosts" }));
    const shown = screen.getByRole("table", { name: "Hosts" });
    expect(within(shown).getAllByRole("columnheader")).toHaveLength(3);
    expect(within(shown).getByRole("rowheader", { name: "sql-02" })).toHaveAttribute("scope", "row");
    expect(within(shown).getByRole("columnheader", { name: "paths" })).toHaveClass("num");
    expect(within(shown).getByRole("columnheader", { name: "change" })).toBeInTheDocument();
  });
  it("leaves out the columns that are hidden", () => {
    draw(table({ hidden: ["paths"] }));
    expect(screen.queryByRole("columnheader", { name: "paths" })).not.toBeInTheDocument();
    expect(screen.queryByRole("cell", { name: "4" })).not.toBeInTheDocument();
  });
  it("draws only the rows again that were selected or let go", () => {
    const drawn = vi.fn((host: Host) => host.name);
    const columns: Column<Host>[] = [{ head: "host", cell: drawn, isRowHead: true }];
    const fixed = { total: 3, allLabel: "Select all", nameOf: (host: Host) => host.name, select: vi.fn(), selectAll: vi.fn() };
    const rowKey = (host: Host) => host.id;
    const selecting = (...selected: string[]) => table({ columns, rowKey, selection: { ...fixed, selected: new Set(selected) } });
    const all = draw(selecting());
    drawn.mockClear();
    all.rerender(<MantineProvider env="test">{selecting("2")}</MantineProvider>);
    expect(drawn.mock.calls.map(([host]) => host.id)).toEqual(["2"]);
    expect(screen.getByRole("checkbox", { name: "Select esx-b07" })).toBeChecked();
  });
  it("takes the width of a column from its definition", () => {
    draw(table({ columns: [{ head: "host", cell: (host) => host.name, width: 136 }] }));
    expect(screen.getByRole("columnheader", { name: "host" })).toHaveStyle({ width: "136px" });
  });
  it("marks its density and its sticky head", () => {
    draw(table({ density: "compact", isHeadSticky: true }));
    expect(screen.getByRole("table")).toHaveAttribute("data-density", "compact");
    expect(screen.getByRole("table")).toHaveAttribute("data-head-sticky", "true");
  });
  it("draws a detail over the whole width below its row, and sums below all rows", () => {
    const foot = (
      <tr>
        <th scope="row">together</th>
      </tr>
    );
    draw(table({ detail: (host) => (host.id === "2" ? "silent since Monday" : null), foot }));
    const detail = screen.getByRole("cell", { name: "silent since Monday" });
    expect(detail).toHaveAttribute("colspan", "3");
    expect(detail.closest("tr")?.previousElementSibling).toHaveTextContent("esx-b07");
    expect(screen.getByRole("rowheader", { name: "together" }).closest("tfoot")).toBeInTheDocument();
  });
  it("gives a row the attributes that the page names", () => {
    draw(table({ rowAttributes: (host) => ({ "data-peeked": host.id === "1" || undefined }) }));
    expect(screen.getByRole("row", { name: /sql-02/ })).toHaveAttribute("data-peeked", "true");
    expect(screen.getByRole("row", { name: /esx-b07/ })).not.toHaveAttribute("data-peeked");
  });
  it("has a place for the button that saves the rows", () => {
    draw(table({ download: <button type="button">CSV</button> }));
    expect(screen.getByRole("button", { name: "CSV" })).toBeInTheDocument();
  });
});

describe("the order of a table", () => {
  it("is its own where a column says by what: up, then down, unknown values last", async () => {
    draw(table());
    const head = screen.getByRole("columnheader", { name: "paths" });
    expect(head).not.toHaveAttribute("aria-sort");
    await userEvent.click(within(head).getByRole("button"));
    expect(head).toHaveAttribute("aria-sort", "ascending");
    expect(names()).toEqual(["win-fs1", "sql-02", "esx-b07"]);
    await userEvent.click(within(head).getByRole("button"));
    expect(head).toHaveAttribute("aria-sort", "descending");
    expect(names()).toEqual(["sql-02", "win-fs1", "esx-b07"]);
  });
  it("is the address's where the page keeps it: a press asks, the rows stay as they came", async () => {
    const setOrder = vi.fn();
    const columns: Column<Host>[] = [
      { head: "host", cell: (host) => host.name, isRowHead: true, orders: ["name", "-name"] },
      { head: "check-in", cell: () => "–", orders: ["-seen", "seen"] },
    ];
    draw(table({ columns, sort: { order: "name", setOrder } }));
    expect(screen.getByRole("columnheader", { name: "host" })).toHaveAttribute("aria-sort", "ascending");
    expect(names()).toEqual(["sql-02", "esx-b07", "win-fs1"]);
    await userEvent.click(screen.getByRole("button", { name: "host" }));
    expect(setOrder).toHaveBeenLastCalledWith("-name");
    await userEvent.click(screen.getByRole("button", { name: "check-in" }));
    expect(setOrder).toHaveBeenLastCalledWith("-seen");
  });
});

describe("the keyboard in a table", () => {
  it("goes from row to row with the arrow keys, and a link's own Enter opens the row", async () => {
    draw(table());
    const links = screen.getAllByRole("link");
    const opened = vi.fn((event: Event) => event.preventDefault());
    links[1]?.addEventListener("click", opened);
    links[0]?.focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(links[1]).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(opened).toHaveBeenCalledOnce();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    expect(links[2]).toHaveFocus();
    await userEvent.keyboard("{ArrowUp}");
    expect(links[1]).toHaveFocus();
  });
  it("passes over rows without a link", async () => {
    const columns: Column<Host>[] = [{ head: "host", cell: (host) => (host.id === "2" ? host.name : <a href="/">{host.name}</a>) }];
    draw(table({ columns }));
    screen.getByRole("link", { name: "sql-02" }).focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(screen.getByRole("link", { name: "win-fs1" })).toHaveFocus();
  });
  it("leaves the arrow keys to whatever else has the focus", async () => {
    draw(table());
    const button = screen.getByRole("button", { name: "Change sql-02" });
    button.focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(button).toHaveFocus();
  });
});

describe("selection in a table", () => {
  it("is by the checkbox of each row and one over all", async () => {
    const select = vi.fn();
    const selectAll = vi.fn();
    const selection = {
      selected: new Set(["2"]),
      total: 3,
      allLabel: "Select every host",
      nameOf: (host: Host) => host.name,
      select,
      selectAll,
    };
    draw(table({ selection }));
    expect(screen.getByRole("checkbox", { name: "Select esx-b07" })).toBeChecked();
    expect(screen.getByRole("checkbox", { name: "Select every host" })).toBePartiallyChecked();
    await userEvent.click(screen.getByRole("checkbox", { name: "Select sql-02" }));
    expect(select).toHaveBeenLastCalledWith("1", false);
    await userEvent.click(screen.getByRole("checkbox", { name: "Select every host" }));
    expect(selectAll).toHaveBeenCalledOnce();
  });
});

describe("a table without rows", () => {
  const none = { rows: [], empty: "No host matches." };

  it("says why", () => {
    draw(table(none));
    expect(screen.getByText("No host matches.")).toBeInTheDocument();
    expect(screen.queryByRole("table")).not.toBeInTheDocument();
  });
  it("shows that it waits", () => {
    draw(table({ ...none, isPending: true }));
    expect(screen.getByRole("status", { name: "Loading" })).toBeInTheDocument();
    expect(screen.queryByText("No host matches.")).not.toBeInTheDocument();
  });
  it("says what failed and tries again when asked", async () => {
    const retry = vi.fn();
    draw(table({ ...none, error: new Error("the server is away"), retry }));
    expect(screen.getByRole("alert")).toHaveTextContent("the server is away");
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(retry).toHaveBeenCalledOnce();
  });
  it("keeps the rows it has below a failure", () => {
    draw(table({ error: new Error("the server is away") }));
    expect(screen.getByRole("alert")).toHaveTextContent("Couldn't refresh");
    expect(screen.getByRole("table")).toBeInTheDocument();
  });
});

describe("a table in a narrow place", () => {
  it("stands as cards: each cell with the words of its head, hidden heads without", () => {
    placeIs(340);
    draw(table());
    expect(screen.getByRole("table")).toHaveAttribute("data-cards", "true");
    const [name, paths, change] = [...(screen.getByRole("row", { name: /sql-02/ }) as HTMLTableRowElement).cells];
    expect(name).toHaveAttribute("data-head", "host");
    expect(paths).toHaveAttribute("data-head", "paths");
    expect(change).toHaveAttribute("data-head", "");
  });
  it("stays a table where its columns have room", () => {
    placeIs(900);
    draw(table());
    expect(screen.getByRole("table")).not.toHaveAttribute("data-cards");
  });
  it("stands as cards where it turns out wider than its place", () => {
    placeIs(900);
    vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(1200);
    draw(table());
    expect(screen.getByRole("table")).toHaveAttribute("data-cards", "true");
  });
  it("draws the page's own cards where it has them, as a list in which the arrow keys go on", async () => {
    placeIs(340);
    draw(table({ label: "Hosts", card: (host) => <a href={`/hosts/${host.id}`}>{host.name}</a> }));
    expect(screen.queryByRole("table")).not.toBeInTheDocument();
    expect(within(screen.getByRole("list", { name: "Hosts" })).getAllByRole("listitem")).toHaveLength(3);
    screen.getByRole("link", { name: "sql-02" }).focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(screen.getByRole("link", { name: "esx-b07" })).toHaveFocus();
  });
});
