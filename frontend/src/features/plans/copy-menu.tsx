import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconChevronDown } from "@tabler/icons-react";
import { ApiProblem } from "@/shared/api/problem";
import { planText } from "./queries";

const FORMS = [
  { form: "script", isUndo: false, label: "Copy as script" },
  { form: "ansible", isUndo: false, label: "Copy as Ansible" },
  { form: "script", isUndo: true, label: "Copy undo as script" },
  { form: "ansible", isUndo: true, label: "Copy undo as Ansible" },
] as const;

/** The same commands to run oneself; Plumbline runs none of them. */
export function CopyMenu({ planId }: { planId: number }) {
  const copy = async (form: "script" | "ansible", isUndo: boolean) => {
    try {
      await navigator.clipboard.writeText(await planText(planId, form, isUndo));
      notifications.show({ message: "Copied. Plumbline doesn't run or track this script." });
    } catch (error) {
      notifications.show({ title: "Couldn't copy", message: ApiProblem.of(error).message });
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={14} />}>Copy as script</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMS.map((one) => (
          <Menu.Item key={one.label} onClick={() => void copy(one.form, one.isUndo)}>
            {one.label}
          </Menu.Item>
        ))}
        {FORMS.filter((one) => !one.isUndo).map((one) => (
          <Menu.Item
            key={`file ${one.form}`}
            component="a"
            href={`/api/v1/plans/${planId}/text?form=${one.form}`}
            download={fileName(planId, one.form)}
          >
            Download {one.form === "ansible" ? "playbook" : "script"}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const fileName = (planId: number, form: string): string => (form === "ansible" ? `plan-${planId}.yml` : `plan-${planId}.txt`);
