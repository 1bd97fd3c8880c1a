import { Button, Radio } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import type { NoticeChannel } from "@/shared/api/types";
import { Failed } from "@/shared/ui/query-panel";
import { Made } from "./notice-forms";
import { CHANNELS } from "./notice-labels";
import styles from "./notices.module.css";

/** Makes a new secret for a webhook and shows it this once; says before what becomes of the one in use. */
export function NewSecret({ channel, close }: { channel: NoticeChannel; close: () => void }) {
  const client = useQueryClient();
  const [keeps, setKeeps] = useState<string>("yes");
  const rotate = useMutation({
    mutationFn: async () => {
      const { data } = await api.POST("/api/v1/notices/channels/{channel_id}/secret", {
        params: { path: { channel_id: channel.id } },
        body: { keeps_old: keeps === "yes" },
      });
      if (!data) throw new TypeError("the secret came without a body");
      return data;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: CHANNELS }),
  });
  if (rotate.data) return <Made made={rotate.data} close={close} />;
  return (
    <div className={styles.form}>
      <Radio.Group label="The secret in use now" value={keeps} onChange={setKeeps}>
        <div className={styles.form}>
          <Radio
            value="yes"
            mt={6}
            label="signs for 24 hours more"
            description="Messages carry both signatures, so that the receiver can change over without losing one."
          />
          <Radio
            value="no"
            label="ends at once"
            description="For one that leaked. The receiver refuses messages until it knows the new secret; they are tried again for some seven hours."
          />
        </div>
      </Radio.Group>
      {rotate.error ? <Failed error={rotate.error} /> : null}
      <Button variant="filled" onClick={() => rotate.mutate()} loading={rotate.isPending}>
        Make the new secret
      </Button>
    </div>
  );
}
