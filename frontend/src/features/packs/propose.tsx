import { Button, Radio, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useGroupChoices } from "@/entities/group/queries";
import type { ConflictCard } from "@/entities/pack/types";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./packs.module.css";
import { usePropose } from "./queries";

const NEITHER = "neither";

/** Proposes which rule a group follows; another person approves it. */
export function Propose({ card }: { card: ConflictCard }) {
  const propose = usePropose();
  const groups = useGroupChoices();
  const [group, setGroup] = useState("");
  const [holds, setHolds] = useState("");
  const [reason, setReason] = useState("");
  const chosen = group || groups[0]?.value || "";
  return (
    <details>
      <summary>Propose a resolution</summary>
      <form
        style={{ display: "grid", gap: 10, margin: "10px 0 16px", maxWidth: 760 }}
        onSubmit={(event) => {
          event.preventDefault();
          propose.mutate(
            { conflict: card.id, group_id: Number(chosen), holds: holds === NEITHER ? "" : holds, reason: reason.trim() },
            {
              onSuccess: () => {
                setHolds("");
                setReason("");
              },
            },
          );
        }}
      >
        <Radio.Group label="Rule to follow" value={holds} onChange={setHolds}>
          <div style={{ display: "grid", gap: 8, marginTop: 6 }}>
            <Radio value={card.first.demand} label={`${card.first.title} (${card.first.pack}): ${card.first.asks}`} />
            <Radio value={card.second.demand} label={`${card.second.title} (${card.second.pack}): ${card.second.asks}`} />
            <Radio value={NEITHER} label="Neither: exclude both from the score" />
          </div>
        </Radio.Group>
        <div className={styles.form}>
          <Select
            size="xs"
            label="Group (including subgroups)"
            searchable={groups.length > 8}
            data={groups}
            value={chosen}
            onChange={(value) => setGroup(value ?? "")}
          />
          <TextInput
            className={styles.grow}
            size="xs"
            label="Reason"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button
            type="submit"
            size="xs"
            variant="filled"
            loading={propose.isPending}
            disabled={holds === "" || chosen === "" || reason.trim().length < 3}
          >
            Propose resolution
          </Button>
        </div>
        {propose.error ? <Failed error={propose.error} /> : null}
      </form>
    </details>
  );
}
