import { type UseFormInput, useForm } from "@mantine/form";
import type { SubmitEventHandler } from "react";
import { useAct } from "./use-act";

interface ActFormInput<Values, Made> extends UseFormInput<Values> {
  initialValues: Values;
  /** Sends what was entered, once it is valid. */
  send: (values: Values) => Promise<Made>;
  /** Called with the answer; mostly closes the dialog. */
  whenDone?: (made: Made) => void;
}

/** A form that does one thing: its fields, whether it is being sent, and what went wrong. `FormBody` draws it. */
export function useActForm<Values extends Record<string, unknown>, Made>({ send, whenDone, ...input }: ActFormInput<Values, Made>) {
  const form = useForm<Values>(input);
  const { run, isBusy, error } = useAct(send, (made) => whenDone?.(made));
  return { ...form, submit: form.onSubmit(run) as SubmitEventHandler<HTMLFormElement>, isBusy, error };
}
