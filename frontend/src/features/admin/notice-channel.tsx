import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import type { NoticeChannel, NoticeChannels, NoticeDelivery } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { ChangeChannel } from "./notice-forms";
import { CHANNELS, kindsInWords, LOG, WAY_WORDS } from "./notice-labels";
import { NewSecret } from "./notice-secret";
import styles from "./notices.module.css";

interface ChannelCardProps {
  channel: NoticeChannel;
  kinds: NoticeChannels["kinds"];
  chats: string[];
}

const useAct = (act: () => Promise<unknown>) => {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => client.invalidateQueries({ queryKey: CHANNELS }) });
};

/** One channel: where it leads, what it hears of, how it fares, and what may be done with it. */
export function ChannelCard({ channel, kinds, chats }: ChannelCardProps) {
  const path = { params: { path: { channel_id: channel.id } } };
  const [isChanging, changing] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const [isRotating, rotating] = useDisclosure(false);
  const turn = useAct(() => api.PATCH("/api/v1/notices/channels/{channel_id}", { ...path, body: { is_enabled: channel.state === "off" } }));
  const name = visible(channel.name);
  return (
    <li className={styles.channel} aria-label={`${WAY_WORDS[channel.way]} ${name}`}>
      <div>
        <span className="strong">{name}</span> <span className="dim">{WAY_WORDS[channel.way].toLowerCase()}</span>
        <div className={styles.shown}>{visible(channel.shown)}</div>
      </div>
      <div>
        {channel.way === "heartbeat" ? "called every minute while all is well" : kindsInWords(channel.kinds, kinds)}
        <div className="dim small">on {visible(channel.group_name)} and all below it</div>
      </div>
      <div>
        <State channel={channel} />
        {channel.old_secret_until ? (
          <div className="dim small">
            signed with two secrets until <Instant at={channel.old_secret_until} form="exact" />
          </div>
        ) : null}
      </div>
      <div className={styles.acts}>
        {channel.way === "heartbeat" ? null : <Trial channel={channel} />}
        <Button size="compact-sm" onClick={changing.open} aria-label={`Change the channel ${name}`}>
          Change …
        </Button>
        {channel.way === "webhook" ? (
          <Button size="compact-sm" onClick={rotating.open} aria-label={`Make a new secret for ${name}`}>
            New secret …
          </Button>
        ) : null}
        <Button
          size="compact-sm"
          onClick={() => turn.mutate()}
          loading={turn.isPending}
          aria-label={`Switch ${channel.state === "off" ? "on" : "off"} ${name}`}
        >
          {channel.state === "off" ? "Switch on" : "Switch off"}
        </Button>
        <Button size="compact-sm" onClick={removing.open} aria-label={`Take away ${name}`}>
          Take away …
        </Button>
      </div>
      {turn.error ? <Failed error={turn.error} /> : null}
      <Modal opened={isChanging} onClose={changing.close} title={`Change ${name}`} size="lg" closeButtonProps={{ "aria-label": "Close" }}>
        <ChangeChannel channel={channel} kinds={kinds} chats={chats} close={changing.close} />
      </Modal>
      <Modal opened={isRotating} onClose={rotating.close} title={`New secret for ${name}`} closeButtonProps={{ "aria-label": "Close" }}>
        <NewSecret channel={channel} close={rotating.close} />
      </Modal>
      <Modal opened={isRemoving} onClose={removing.close} title={`Take ${name} away`} closeButtonProps={{ "aria-label": "Close" }}>
        <Remove channel={channel} close={removing.close} />
      </Modal>
    </li>
  );
}

function State({ channel }: { channel: NoticeChannel }) {
  const waiting = channel.waiting > 0 ? <div className="dim small">{channel.waiting} on the way</div> : null;
  if (channel.state === "off") return <Outcome status="excluded">switched off</Outcome>;
  if (channel.state === "untried") {
    return (
      <>
        <Outcome status="unknown">not used yet</Outcome>
        {waiting}
      </>
    );
  }
  if (channel.state === "works") {
    return (
      <>
        <Outcome status="pass">works</Outcome>
        <div className="dim small">
          <Instant at={channel.ok_at} />
        </div>
        {waiting}
      </>
    );
  }
  return (
    <>
      <Outcome status="fail">fails</Outcome>
      <div className={styles.words}>
        {visible(channel.words)}{" "}
        <span className="dim">
          since <Instant at={channel.failing_since} form="moment" />
        </span>
      </div>
      {waiting}
    </>
  );
}

/** Sends a test by the way that every notice goes, and says what became of it. */
function Trial({ channel }: { channel: NoticeChannel }) {
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: async () => {
      const { data } = await api.POST("/api/v1/notices/channels/{channel_id}/test", { params: { path: { channel_id: channel.id } } });
      if (!data) throw new TypeError("the test had no body");
      return data;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: LOG }),
  });
  const sent = query.useQuery(
    "get",
    "/api/v1/notices/{notice_id}",
    { params: { path: { notice_id: ask.data?.id ?? 0 } } },
    {
      enabled: ask.data !== undefined,
      refetchInterval: (read) => {
        const isOver = read.state.data?.deliveries.every((each) => each.state !== "waiting") ?? false;
        if (isOver) {
          void client.invalidateQueries({ queryKey: CHANNELS });
          void client.invalidateQueries({ queryKey: LOG });
        }
        return isOver ? false : 1000;
      },
    },
  );
  const delivery = (sent.data ?? ask.data)?.deliveries[0];
  return (
    <>
      <Button
        size="compact-sm"
        onClick={() => ask.mutate()}
        loading={ask.isPending || delivery?.state === "waiting"}
        disabled={channel.state === "off"}
        aria-label={`Send a test to ${visible(channel.name)}`}
      >
        Send a test
      </Button>
      <div className={styles.trial} role="status">
        {ask.error ? <Failed error={ask.error} /> : delivery ? <Answer delivery={delivery} /> : null}
      </div>
    </>
  );
}

function Answer({ delivery }: { delivery: NoticeDelivery }) {
  if (delivery.state === "waiting") {
    return <Outcome status="running">on its way; if this stays, no worker of kind desk is running</Outcome>;
  }
  return <Outcome status={delivery.state === "sent" ? "pass" : "fail"}>{visible(delivery.words)}</Outcome>;
}

function Remove({ channel, close }: { channel: NoticeChannel; close: () => void }) {
  const remove = useAct(async () => {
    await api.DELETE("/api/v1/notices/channels/{channel_id}", { params: { path: { channel_id: channel.id } } });
    close();
  });
  return (
    <div className={styles.form}>
      <p>
        Nothing more is sent to <span className="strong">{visible(channel.shown)}</span>, what waits included. Its address is forgotten;
        what was told stays in the log.
      </p>
      {remove.error ? <Failed error={remove.error} /> : null}
      <Button variant="filled" onClick={() => remove.mutate()} loading={remove.isPending} data-autofocus>
        Take it away
      </Button>
    </div>
  );
}
