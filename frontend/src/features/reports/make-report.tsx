import { Button, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { Failed } from "@/shared/ui/query-panel";
import { useZone } from "@/shared/ui/time-ago";
import { PRESETS } from "./labels";
import { useMakeReport } from "./queries";
import styles from "./reports.module.css";
import { type Scope, ScopeFields, useChosenGroup } from "./scope-fields";
import type { Preset } from "./types";

/** The form that makes a report: which one, about which hosts, over which period. */
export function MakeReport({ whenMade }: { whenMade: (id: number) => void }) {
  const zone = useZone();
  const [scope, setScope] = useState<Scope>({ template: "executive", group: "", view: "" });
  const [preset, setPreset] = useState<Preset>("this_quarter");
  const [first, setFirst] = useState("");
  const [last, setLast] = useState("");
  const group = useChosenGroup(scope.group);
  const make = useMakeReport(whenMade);
  const isCustom = preset === "custom";
  const isMissing = group === undefined || (isCustom && (first === "" || last === "" || first > last));
  return (
    <section aria-label="Create a report">
      <form
        className={styles.make}
        onSubmit={(event) => {
          event.preventDefault();
          if (isMissing || group === undefined) return;
          make.mutate({
            template: scope.template,
            group_id: group,
            view_id: scope.view === "" ? null : Number(scope.view),
            period: { preset, time_zone: zone, ...(isCustom ? { first_day: first, last_day: last } : {}) },
          });
        }}
      >
        <ScopeFields {...scope} change={(patch) => setScope({ ...scope, ...patch })} />
        <Select
          label="Period"
          description={`Days in ${zone}`}
          inputWrapperOrder={["label", "input", "description"]}
          w={170}
          allowDeselect={false}
          data={Object.entries(PRESETS).map(([value, label]) => ({ value, label }))}
          value={preset}
          onChange={(chosen) => setPreset((chosen ?? "this_quarter") as Preset)}
        />
        {isCustom ? (
          <>
            <TextInput type="date" label="First day" value={first} onChange={(event) => setFirst(event.currentTarget.value)} />
            <TextInput
              type="date"
              label="Last day"
              value={last}
              onChange={(event) => setLast(event.currentTarget.value)}
              error={first && last && first > last ? "Before the first day" : null}
            />
          </>
        ) : null}
        <Button type="submit" variant="filled" size="sm" loading={make.isPending} disabled={isMissing} className={styles.go}>
          Create report
        </Button>
      </form>
      {make.error ? <Failed error={make.error} /> : null}
    </section>
  );
}
