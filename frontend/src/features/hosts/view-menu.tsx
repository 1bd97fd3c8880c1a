import { Button, Checkbox, Menu, TextInput } from "@mantine/core";
import { useSaveView } from "@/entities/saved-view/queries";
import { isSeen } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { columnNames } from "./columns";

interface ViewMenuProps {
  hidden: string[];
  setHidden: (hidden: string[]) => void;
}

/** Which columns are in the list, and keeping the present filters as a named view. */
export function ViewMenu({ hidden, setHidden }: ViewMenuProps) {
  return (
    <>
      <Menu closeOnItemClick={false}>
        <Menu.Target>
          <Button>Columns</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {columnNames.map(({ id, label }) => {
            const isShown = !hidden.includes(id);
            return (
              <Menu.Item
                key={id}
                role="menuitemcheckbox"
                aria-checked={isShown}
                onClick={() => setHidden(isShown ? [...hidden, id] : hidden.filter((one) => one !== id))}
                leftSection={<span aria-hidden="true">{isShown ? "✓" : " "}</span>}
              >
                {label}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
      <FormDialog title="Save view" opener={(open) => <Button onClick={open}>Save view</Button>}>
        {(close) => <SaveView close={close} />}
      </FormDialog>
    </>
  );
}

export function SaveView({ close }: { close: () => void }) {
  const save = useSaveView();
  const form = useActForm({
    initialValues: { name: "", isShared: false },
    validate: { name: (text) => (isSeen(text) ? null : "Enter a name") },
    send: ({ name, isShared }) =>
      save.mutateAsync({ name: name.trim(), url: window.location.pathname + window.location.search, is_shared: isShared }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Save view">
      <TextInput label="Name" data-autofocus required withAsterisk={false} maxLength={120} {...form.getInputProps("name")} />
      <Checkbox label="Share with everyone who can see these hosts" {...form.getInputProps("isShared", { type: "checkbox" })} />
    </FormBody>
  );
}
