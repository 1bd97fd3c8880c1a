import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, sessionKey } from "@/api/client";
import { Brand } from "@/components/brand";
import { Failed } from "@/components/panel";
import styles from "./auth.module.css";

export function SignInPage({ isDemo }: { isDemo: boolean }) {
  const client = useQueryClient();
  const form = useForm({ mode: "uncontrolled", initialValues: { login: "", password: "" } });
  const signIn = useMutation({
    mutationFn: (body: { login: string; password: string }) => api.POST("/api/v1/session", { body }),
    onSuccess: ({ data }) => client.setQueryData(sessionKey, data ?? null),
  });
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <Brand size={26} />
        <h1>Sign in</h1>
        <form className={styles.form} onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
          <TextInput label="Login" autoComplete="username" autoFocus required withAsterisk={false} {...form.getInputProps("login")} />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
            {...form.getInputProps("password")}
          />
          {signIn.error ? <Failed error={signIn.error} /> : null}
          <Button type="submit" variant="filled" size="sm" loading={signIn.isPending}>
            Sign in
          </Button>
        </form>
        {isDemo ? (
          <p className={styles.note}>
            Lab fleet: every host here is rendered by the lab. The logins of each role stand in a file that <code>make up</code> names on
            the console.
          </p>
        ) : null}
      </div>
    </main>
  );
}
