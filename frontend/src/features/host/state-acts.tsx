import { Button, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { HostDetail } from "@/entities/host/types";
import type { Session } from "@/entities/person/types";
import { api } from "@/shared/api/client";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";

export type StateAct = "quarantine" | "release" | "clear_alarm" | "rotate_secret";

interface ActTexts {
  item: string;
  title: (name: string) => string;
  text: string;
  button: string;
  done: (name: string) => string;
  asksReason: boolean;
}

/** What the menu and the dialog of each act say. */
export const STATE_ACTS: Record<StateAct, ActTexts> = {
  quarantine: {
    item: "Quarantine…",
    title: (name) => `Quarantine ${name}`,
    text: "The host's check-ins are refused until an admin releases it or enrols it again. Its findings stay as they are.",
    button: "Quarantine host",
    done: (name) => `${name} is quarantined. Its check-ins are refused.`,
    asksReason: true,
  },
  release: {
    item: "Release from quarantine",
    title: (name) => `Release ${name} from quarantine`,
    text: "The host's check-ins are accepted again, and its alarm is cleared. A host that was refused tries again within an hour.",
    button: "Release host",
    done: (name) => `${name} is released. Its check-ins are accepted again.`,
    asksReason: true,
  },
  clear_alarm: {
    item: "Clear alarm",
    title: (name) => `Clear the alarm of ${name}`,
    text: "The alarm returns if a check-in raises it again.",
    button: "Clear alarm",
    done: (name) => `The alarm of ${name} is cleared.`,
    asksReason: true,
  },
  rotate_secret: {
    item: "Rotate secret",
    title: (name) => `Rotate the secret of ${name}`,
    text: "The host gets a new secret with its next check-in. Both secrets work until the new one is first used.",
    button: "Rotate secret",
    done: (name) => `${name} gets its new secret with the next check-in.`,
    asksReason: false,
  },
};

/** The acts that this person may do and that the host's state allows, in the order of the menu. */
export function stateActsOf(host: HostDetail, can: Partial<Session["can"]>): StateAct[] {
  const isAdmin = can.manage_hosts ?? false;
  // A host that is known from a bundle sends nothing that could be refused.
  const checksIn = host.source !== "bundle";
  // Alarms are cleared by admins and by operators, who also hold hosts.
  const mayClear = isAdmin || (can.hold_hosts ?? false);
  return [
    ...(mayClear && host.alarm ? ["clear_alarm" as const] : []),
    ...(isAdmin && checksIn && host.state !== "retired" ? ["rotate_secret" as const] : []),
    ...(isAdmin && checksIn && host.state === "active" ? ["quarantine" as const] : []),
    ...(isAdmin && host.state === "quarantined" ? ["release" as const] : []),
  ];
}

function send(act: StateAct, host_id: string, reason: string) {
  const params = { path: { host_id } };
  const body = { reason };
  switch (act) {
    case "quarantine":
      return api.POST("/api/v1/hosts/{host_id}/quarantine", { params, body });
    case "release":
      return api.POST("/api/v1/hosts/{host_id}/release-quarantine", { params, body });
    case "clear_alarm":
      return api.POST("/api/v1/hosts/{host_id}/clear-alarm", { params, body });
    case "rotate_secret":
      return api.POST("/api/v1/hosts/{host_id}/rotate-secret", { params });
  }
}

/** The dialog's content: what happens, the reason where one is recorded, and the button that does it. */
export function StateActForm({ host, act, close }: { host: HostDetail; act: StateAct; close: () => void }) {
  const client = useQueryClient();
  const texts = STATE_ACTS[act];
  const [reason, setReason] = useState("");
  const run = useMutation({
    mutationFn: async () => {
      await send(act, host.id, reason.trim());
    },
    onSuccess: async () => {
      notifications.show({ message: texts.done(host.name) });
      await client.invalidateQueries();
      close();
    },
  });
  const missing = texts.asksReason && reason.trim().length < 3 ? "Enter a reason" : "";
  return (
    <form
      style={{ display: "grid", gap: 14 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) run.mutate();
      }}
    >
      {act === "clear_alarm" ? <p>{visible(host.alarm)}</p> : null}
      <p>{texts.text}</p>
      {texts.asksReason ? (
        <Textarea
          label="Reason"
          description="Saved in the audit log."
          data-autofocus
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      {run.error ? <Failed error={run.error} /> : null}
      {missing ? <span className="dim small">{missing}</span> : null}
      <Button type="submit" variant="filled" disabled={missing !== ""} loading={run.isPending}>
        {texts.button}
      </Button>
    </form>
  );
}
