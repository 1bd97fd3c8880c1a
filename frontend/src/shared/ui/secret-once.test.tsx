import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { draw } from "@/shared/testing/render";
import { SecretOnce } from "./secret-once";

it("shows the secret with its explanation, copies it and ends", async () => {
  const user = userEvent.setup();
  const close = vi.fn();
  draw(
    <SecretOnce title="Token (shown only once):" secret="plb_1234" label="token" close={close}>
      <span>It ends tomorrow.</span>
    </SecretOnce>,
  );
  const status = screen.getByRole("status");
  expect(status).toHaveTextContent("Token (shown only once):");
  expect(status).toHaveTextContent("It ends tomorrow.");
  await user.click(screen.getByRole("button", { name: "Copy token" }));
  expect(await navigator.clipboard.readText()).toBe("plb_1234");
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(close).toHaveBeenCalledOnce();
});

it("has no button to end where it stands on a page of its own", () => {
  draw(
    <SecretOnce title="Token (shown only once):" secret="plb_1234" label="token">
      <span>It ends tomorrow.</span>
    </SecretOnce>,
  );
  expect(screen.queryByRole("button", { name: "Done" })).toBeNull();
});
