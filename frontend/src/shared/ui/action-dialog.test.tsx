import { Button } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { expect, it, vi } from "vitest";
import { ApiProblem } from "@/shared/api/problem";
import { draw } from "@/shared/testing/render";
import { ActionDialog } from "./action-dialog";

const REASON = { label: "Reason", missing: "Say why first." };

async function opened(given: Partial<ComponentProps<typeof ActionDialog>> = {}) {
  const onConfirm = vi.fn().mockResolvedValue(undefined);
  draw(
    <ActionDialog title="Stop the plan" opener={(open) => <Button onClick={open}>Stop …</Button>} onConfirm={onConfirm} {...given}>
      <p>Each job ends at its next step.</p>
    </ActionDialog>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Stop …" }));
  return onConfirm;
}

const main = () => screen.getByRole("button", { name: "Stop the plan" });

it("says what is done, does it and closes", async () => {
  draw(<Notifications />);
  const onConfirm = await opened({ notice: "It is stopped." });
  expect(screen.getByRole("dialog", { name: "Stop the plan" })).toHaveTextContent("Each job ends at its next step.");
  await userEvent.click(main());
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith({ reason: "", password: "" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("It is stopped.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Dismiss" })).toBeInTheDocument();
});

it("waits for a reason, which has the focus, and gives it without the spaces around it", async () => {
  const onConfirm = await opened({ reason: REASON });
  const field = screen.getByLabelText("Reason");
  await waitFor(() => expect(field).toHaveFocus());
  expect(main()).toBeDisabled();
  expect(screen.getByText("Say why first.")).toBeInTheDocument();
  await userEvent.type(field, "  wrong host ");
  expect(screen.queryByText("Say why first.")).toBeNull();
  await userEvent.click(main());
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith({ reason: "wrong host", password: "" });
});

it("keeps a reason over Escape, but no password", async () => {
  await opened({
    reason: REASON,
    identity: (password, setPassword) => (
      <input aria-label="Your password" value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
    ),
  });
  await userEvent.type(screen.getByLabelText("Reason"), "wrong host");
  await userEvent.type(screen.getByLabelText("Your password"), "s3cret");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const opener = screen.getByRole("button", { name: "Stop …" });
  await waitFor(() => expect(opener).toHaveFocus());
  await userEvent.click(opener);
  expect(screen.getByLabelText("Reason")).toHaveValue("wrong host");
  expect(screen.getByLabelText("Your password")).toHaveValue("");
});

it("says what went wrong and stays open; opened again it says nothing of it", async () => {
  const refusal = new ApiProblem({ status: 409, title: "Not done", detail: "It ended before.", code: "over", requestId: null });
  await opened({ onConfirm: () => Promise.reject(refusal) });
  await userEvent.click(main());
  expect(await screen.findByRole("alert")).toHaveTextContent("It ended before.");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Stop …" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

it("is busy while it is done, and no second click does it again", async () => {
  let finish = () => {};
  const onConfirm = vi.fn().mockReturnValue(
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  );
  await opened({ onConfirm });
  await userEvent.click(main());
  expect(main()).toHaveAttribute("data-loading");
  await userEvent.click(main(), { pointerEventsCheck: 0 });
  expect(onConfirm).toHaveBeenCalledTimes(1);
  finish();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
