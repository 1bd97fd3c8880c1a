import { Button, Checkbox, Menu, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { isSeen } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import { columnNames } from "./columns";

interface ViewMenuProps {
  hidden: string[];
  setHidden: (hidden: string[]) => void;
}

/** Which columns stand in the list, and keeping the present filters as a named view. */
export function ViewMenu({ hidden, setHidden }: ViewMenuProps) {
  const [isOpen, dialog] = useDisclosure(false);
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
      <Button onClick={dialog.open}>Save view</Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Save this view" closeButtonProps={{ "aria-label": "Close" }}>
        <SaveView close={dialog.close} />
      </Modal>
    </>
  );
}

export function SaveView({ close }: { close: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [isBlank, setBlank] = useState(false);
  const [isShared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/views", {
        body: { name: name.trim(), url: window.location.pathname + window.location.search, is_shared: isShared },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["get", "/api/v1/views"] });
      close();
    },
  });
  return (
    <form
      style={{ display: "grid", gap: 14 }}
      onSubmit={(event) => {
        event.preventDefault();
        setBlank(!isSeen(name));
        if (isSeen(name)) save.mutate();
      }}
    >
      <TextInput
        label="Name"
        data-autofocus
        required
        withAsterisk={false}
        maxLength={120}
        value={name}
        error={isBlank ? "Say what the view is called" : undefined}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setBlank(false);
        }}
      />
      <Checkbox
        label="Everyone who may read these hosts sees it"
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
      {save.error ? <Failed error={save.error} /> : null}
      <Button type="submit" variant="filled" loading={save.isPending}>
        Save view
      </Button>
    </form>
  );
}
