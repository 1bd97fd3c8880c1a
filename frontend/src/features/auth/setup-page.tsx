import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, sessionKey } from "@/shared/api/client";
import { isSeen } from "@/shared/lib/text";
import { Brand } from "@/shared/ui/brand";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./auth.module.css";

/** The first start: whoever can read the console makes the first admin; nobody else can. */
export function SetupPage() {
  const client = useQueryClient();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: {
      code: new URLSearchParams(window.location.search).get("code") ?? "",
      login: "",
      display_name: "",
      password: "",
      again: "",
    },
    validate: {
      display_name: (text) => (isSeen(text) ? null : "Enter your name"),
      login: (text) =>
        /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text) ? null : "Use letters, digits and . _ @ + -. Start with a letter or digit.",
      password: (text) => (text.length >= 12 ? null : "At least 12 characters"),
      again: (text, all) => (text === all.password ? null : "Passwords don't match"),
    },
  });
  const make = useMutation({
    mutationFn: ({ again: _again, ...body }: typeof form.values) => api.POST("/api/v1/setup", { body }),
    onSuccess: ({ data }) => {
      window.history.replaceState(null, "", "/enrol");
      client.setQueryData(sessionKey, data ?? null);
    },
  });
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <Brand size={26} />
        <h1>Create the first admin</h1>
        <p className={styles.note}>Enter the one-time code printed on the console where Plumbline was started. It works once.</p>
        <form className={styles.form} onSubmit={form.onSubmit((values) => make.mutate(values))}>
          <TextInput
            label="One-time code"
            autoComplete="off"
            required
            withAsterisk={false}
            styles={{ input: { fontFamily: "var(--mono)" } }}
            {...form.getInputProps("code")}
          />
          <TextInput label="Your name" autoComplete="name" required withAsterisk={false} {...form.getInputProps("display_name")} />
          <TextInput label="Login" autoComplete="username" required withAsterisk={false} {...form.getInputProps("login")} />
          <PasswordInput
            label="Password"
            description="At least 12 characters. A passphrase works well."
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps("password")}
          />
          <PasswordInput
            label="Confirm password"
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps("again")}
          />
          {make.error ? <Failed error={make.error} /> : null}
          <Button type="submit" variant="filled" size="sm" loading={make.isPending}>
            Create admin and continue
          </Button>
        </form>
      </div>
    </main>
  );
}
