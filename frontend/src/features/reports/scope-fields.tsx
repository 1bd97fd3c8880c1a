import { Select } from "@mantine/core";
import { useGroupChoices } from "@/entities/group/queries";
import { useSavedViews } from "@/entities/saved-view/queries";
import { TEMPLATES } from "./labels";
import type { Template } from "./types";

export interface Scope {
  template: Template;
  /** The id of a group; empty until the groups are read. */
  group: string;
  /** The id of a saved view of the hosts page; empty for all hosts of the group. */
  view: string;
}

interface ScopeFieldsProps extends Scope {
  change: (patch: Partial<Scope>) => void;
}

/** Which report, about which hosts. */
export function ScopeFields({ template, group, view, change }: ScopeFieldsProps) {
  const groups = useGroupChoices();
  return (
    <>
      <Select
        label="Report"
        description={TEMPLATES[template].about}
        inputWrapperOrder={["label", "input", "description"]}
        w={300}
        allowDeselect={false}
        data={Object.entries(TEMPLATES).map(([value, { label }]) => ({ value, label }))}
        value={template}
        onChange={(chosen) => change({ template: (chosen ?? "executive") as Template })}
      />
      <Select
        label="Group"
        w={240}
        searchable
        allowDeselect={false}
        data={groups}
        value={group || (groups[0]?.value ?? null)}
        onChange={(chosen) => change({ group: chosen ?? "" })}
      />
      <HostsField view={view} change={(chosen) => change({ view: chosen })} />
    </>
  );
}

/** All hosts of the group, or those that match a saved view of the hosts page: its id, else empty. */
export function HostsField({ view, change }: { view: string; change: (view: string) => void }) {
  const views = (useSavedViews().data ?? []).filter((one) => one.url.split("?")[0] === "/hosts");
  return (
    <Select
      label="Hosts"
      w={220}
      allowDeselect={false}
      data={[{ value: "", label: "All hosts of the group" }, ...views.map((one) => ({ value: String(one.id), label: one.name }))]}
      value={view}
      onChange={(chosen) => change(chosen ?? "")}
      {...(views.length === 0 ? { description: "Save a view on the Hosts page to choose it here." } : {})}
      inputWrapperOrder={["label", "input", "description"]}
    />
  );
}

/** The group chosen, or the first one while none is. */
export function useChosenGroup(group: string): number | undefined {
  const first = useGroupChoices()[0];
  const chosen = group || first?.value;
  return chosen === undefined ? undefined : Number(chosen);
}
