import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { draw } from "@/shared/testing/render";
import { Tooltip } from "./tooltip";

const words = "Sat 21 Nov 2026, 02:11:09 UTC";
const button = () => (
  <Tooltip<HTMLButtonElement> label={words}>
    {(target) => (
      <button type="button" {...target}>
        3 min ago
      </button>
    )}
  </Tooltip>
);

it("opens under a resting pointer, describes its element, and closes when the pointer leaves", async () => {
  draw(button());
  expect(screen.queryByText(words)).not.toBeInTheDocument();
  await userEvent.hover(screen.getByRole("button"));
  expect(await screen.findByRole("tooltip")).toHaveTextContent(words);
  expect(screen.getByRole("button")).toHaveAccessibleDescription(words);
  await userEvent.unhover(screen.getByRole("button"));
  expect(screen.queryByText(words)).not.toBeInTheDocument();
  expect(screen.getByRole("button")).not.toHaveAttribute("aria-describedby");
});

it("opens by the Tab key and closes by Escape, with the focus where it was", async () => {
  draw(button());
  await userEvent.tab();
  expect(screen.getByText(words)).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByText(words)).not.toBeInTheDocument();
  expect(screen.getByRole("button")).toHaveFocus();
});

it("opens nothing where there is nothing to say", async () => {
  draw(
    <Tooltip<HTMLButtonElement> label={undefined}>
      {(target) => (
        <button type="button" {...target}>
          Export
        </button>
      )}
    </Tooltip>,
  );
  await userEvent.tab();
  expect(screen.getByRole("button")).toHaveFocus();
  expect(screen.queryByRole("tooltip")).not.toBeInTheDocument();
});
