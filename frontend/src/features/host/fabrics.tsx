import { Button, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./paths.module.css";
import type { PathMap } from "./types";

type Adapter = PathMap["adapters"][number];

/** The fabric that each adapter is cabled to. A switch tells its own name and not its fabric; an admin labels it here. */
export function Fabrics({ hostId, adapters, canLabel }: { hostId: string; adapters: Adapter[]; canLabel: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="section" aria-label="Fabrics">
      <h2>
        Fabrics{" "}
        <span className="dim">which switch network each adapter is cabled to; unlabelled adapters count as one fabric per group</span>
      </h2>
      {isOpen ? (
        <LabelForm hostId={hostId} adapters={adapters} close={() => setOpen(false)} />
      ) : (
        <>
          <dl className={styles.fabrics}>
            {adapters.map((adapter) => (
              <div key={adapter.id}>
                <dt>{visible(adapter.name)}</dt>
                <dd>{adapter.fabric ? visible(adapter.fabric) : <span className="dim">{NO_DATA} No label</span>}</dd>
              </div>
            ))}
          </dl>
          {canLabel ? (
            <Button mt={12} onClick={() => setOpen(true)}>
              Edit fabrics
            </Button>
          ) : (
            <p className="dim small" style={{ marginTop: 8 }}>
              Only admins of the group can edit fabrics.
            </p>
          )}
        </>
      )}
    </section>
  );
}

function LabelForm({ hostId, adapters, close }: { hostId: string; adapters: Adapter[]; close: () => void }) {
  const client = useQueryClient();
  const [labels, setLabels] = useState(() => Object.fromEntries(adapters.map((adapter) => [adapter.id, adapter.fabric])));
  const changed = adapters.filter((adapter) => (labels[adapter.id] ?? "").trim() !== adapter.fabric);
  const save = useMutation({
    mutationFn: () =>
      api.PATCH("/api/v1/hosts/{host_id}", {
        params: { path: { host_id: hostId } },
        body: { fabrics: Object.fromEntries(changed.map((adapter) => [adapter.id, labels[adapter.id]?.trim() || null])) },
      }),
    onSuccess: async () => {
      notifications.show({ message: "Fabrics saved. Re-evaluating the host." });
      close();
      await client.invalidateQueries();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="dim" style={{ marginBottom: 10, maxWidth: "72ch" }}>
        Use the same label on hosts that share a fabric. Leave empty to remove a label. The host is not changed.
      </p>
      <div className={styles.labels}>
        {adapters.map((adapter) => (
          <TextInput
            key={adapter.id}
            label={visible(adapter.name)}
            placeholder="No label"
            maxLength={60}
            value={labels[adapter.id] ?? ""}
            onChange={(event) => {
              const text = event.currentTarget.value;
              setLabels((before) => ({ ...before, [adapter.id]: text }));
            }}
          />
        ))}
      </div>
      {save.error ? <Failed error={save.error} /> : null}
      <div style={{ display: "flex", gap: 8, marginTop: 12 }}>
        <Button type="submit" variant="filled" disabled={changed.length === 0} loading={save.isPending}>
          Save
        </Button>
        <Button onClick={close} disabled={save.isPending}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
