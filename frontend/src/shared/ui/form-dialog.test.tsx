import { Button, TextInput } from "@mantine/core";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ApiProblem } from "@/shared/api/problem";
import { draw } from "@/shared/testing/render";
import { FormBody, FormDialog } from "./form-dialog";
import { useActForm } from "./use-act-form";

function NameForm({ send, close }: { send: (values: { name: string }) => Promise<unknown>; close: () => void }) {
  const form = useActForm({
    initialValues: { name: "" },
    validate: { name: (text) => (text.length > 2 ? null : "Give it a longer name") },
    send,
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Save" missing={form.values.name === "" ? "Give it a name." : ""} note="It can be changed.">
      <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
    </FormBody>
  );
}

async function opened(send: (values: { name: string }) => Promise<unknown>) {
  draw(
    <FormDialog title="Name it" opener={(open) => <Button onClick={open}>Name …</Button>}>
      {(close) => <NameForm send={send} close={close} />}
    </FormDialog>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Name …" }));
  return screen.getByLabelText("Name");
}

it("says what is missing, and is not sent by Enter either", async () => {
  const send = vi.fn().mockResolvedValue(undefined);
  const field = await opened(send);
  await waitFor(() => expect(field).toHaveFocus());
  expect(screen.getByText("Give it a name.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Save" })).toBeDisabled();
  await userEvent.keyboard("{Enter}");
  expect(send).not.toHaveBeenCalled();
});

it("says at the field what is wrong with it", async () => {
  const send = vi.fn().mockResolvedValue(undefined);
  await userEvent.type(await opened(send), "ab{Enter}");
  expect(screen.getByText("Give it a longer name")).toBeInTheDocument();
  expect(send).not.toHaveBeenCalled();
});

it("sends what was entered, closes, and begins anew when it is opened again", async () => {
  const send = vi.fn().mockResolvedValue(undefined);
  await userEvent.type(await opened(send), "Night{Enter}");
  expect(send).toHaveBeenCalledExactlyOnceWith({ name: "Night" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Name …" }));
  expect(screen.getByLabelText("Name")).toHaveValue("");
  expect(screen.getByText("Give it a name.")).toBeInTheDocument();
});

it("shows a refusal, keeps what was entered, and lets it be sent again", async () => {
  const refusal = new ApiProblem({ status: 409, title: "Taken", detail: "There is one of that name.", code: "taken", requestId: null });
  const send = vi.fn().mockRejectedValueOnce(refusal).mockResolvedValue(undefined);
  await userEvent.type(await opened(send), "Night{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("There is one of that name.");
  expect(screen.getByLabelText("Name")).toHaveValue("Night");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("follows nothing from an answer that comes after the dialog was left", async () => {
  let finish = () => {};
  const answer = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await userEvent.type(await opened(() => answer), "Night{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Name …" }));
  finish();
  await answer;
  expect(screen.getByRole("dialog", { name: "Name it" })).toBeInTheDocument();
});
