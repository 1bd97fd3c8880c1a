import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { draw } from "@/shared/testing/render";
import { SaveView } from "./view-menu";

it("says that a view without a name cannot be kept, in place of doing nothing", async () => {
  const asked = vi.spyOn(globalThis, "fetch");
  draw(
    <QueryClientProvider client={new QueryClient()}>
      <SaveView close={() => undefined} />
    </QueryClientProvider>,
  );
  await userEvent.type(screen.getByLabelText("Name"), "   ");
  await userEvent.click(screen.getByRole("button", { name: "Save view" }));
  expect(screen.getByText("Enter a name")).toBeInTheDocument();
  expect(asked).not.toHaveBeenCalled();
  await userEvent.type(screen.getByLabelText("Name"), "Night");
  expect(screen.queryByText("Enter a name")).not.toBeInTheDocument();
});
