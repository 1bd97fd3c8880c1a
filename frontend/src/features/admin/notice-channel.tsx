import { Button } from "@mantine/core";
import { visible } from "@/shared/lib/text";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { StatusLabel, StatusSentence } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { ChangeChannel } from "./notice-forms";
import { kindsText, WAY_LABELS } from "./notice-labels";
import { NewSecret } from "./notice-secret";
import styles from "./notices.module.css";
import { useRemoveChannel, useTestChannel, useUpdateChannel } from "./queries";
import type { NoticeChannel, NoticeChannels, NoticeDelivery } from "./types";

interface ChannelCardProps {
  channel: NoticeChannel;
  kinds: NoticeChannels["kinds"];
  chats: string[];
}

/** One channel: where it leads, what it hears of, how it fares, and what may be done with it. */
export function ChannelCard({ channel, kinds, chats }: ChannelCardProps) {
  const update = useUpdateChannel(channel.id);
  const remove = useRemoveChannel(channel.id);
  const name = visible(channel.name);
  return (
    <li className={styles.channel} aria-label={`${WAY_LABELS[channel.way]} ${name}`}>
      <div>
        <span className="strong">{name}</span> <span className="dim">{WAY_LABELS[channel.way].toLowerCase()}</span>
        <div className={styles.shown}>{visible(channel.shown)}</div>
      </div>
      <div>
        {channel.way === "heartbeat"
          ? "Called every minute while healthy"
          : channel.way === "ticket"
            ? "Gets the tickets that operators create"
            : kindsText(channel.kinds, kinds)}
        <div className="dim small">{visible(channel.group_name)} and subgroups</div>
      </div>
      <div>
        <State channel={channel} />
        {channel.old_secret_until ? (
          <div className="dim small">
            Both secrets valid until <TimeAgo at={channel.old_secret_until} form="exact" />
          </div>
        ) : null}
      </div>
      <div className={styles.acts}>
        {channel.way === "heartbeat" ? null : <Trial channel={channel} />}
        <FormDialog
          title={`Edit ${name}`}
          size="lg"
          opener={(open) => (
            <Button size="compact-sm" onClick={open} aria-label={`Edit channel ${name}`}>
              Edit…
            </Button>
          )}
        >
          {(close) => <ChangeChannel channel={channel} kinds={kinds} chats={chats} close={close} />}
        </FormDialog>
        {channel.way === "webhook" ? (
          <FormDialog
            title={`Rotate secret for ${name}`}
            opener={(open) => (
              <Button size="compact-sm" onClick={open} aria-label={`Rotate secret for ${name}`}>
                Rotate secret…
              </Button>
            )}
          >
            {(close) => <NewSecret channel={channel} close={close} />}
          </FormDialog>
        ) : null}
        <Button
          size="compact-sm"
          onClick={() => update.mutate({ is_enabled: channel.state === "off" })}
          loading={update.isPending}
          aria-label={`Switch ${channel.state === "off" ? "on" : "off"} ${name}`}
        >
          {channel.state === "off" ? "Enable" : "Disable"}
        </Button>
        <ActionDialog
          title={`Delete ${name}`}
          label="Delete channel"
          opener={(open) => (
            <Button size="compact-sm" onClick={open} aria-label={`Delete ${name}`}>
              Delete…
            </Button>
          )}
          onConfirm={() => remove.mutateAsync()}
        >
          <p>
            Nothing more is sent to <span className="strong">{visible(channel.shown)}</span>, including pending messages. Its address is
            deleted. The notification log is kept.
          </p>
        </ActionDialog>
      </div>
      {update.error ? <Failed error={update.error} /> : null}
    </li>
  );
}

function State({ channel }: { channel: NoticeChannel }) {
  const waiting = channel.waiting > 0 ? <div className="dim small">{channel.waiting} pending</div> : null;
  if (channel.state === "off") return <StatusLabel status="excluded">Disabled</StatusLabel>;
  if (channel.state === "untried") {
    return (
      <>
        <StatusLabel status="unknown">Not used yet</StatusLabel>
        {waiting}
      </>
    );
  }
  if (channel.state === "works") {
    return (
      <>
        <StatusLabel status="pass">Working</StatusLabel>
        <div className="dim small">
          <TimeAgo at={channel.ok_at} />
        </div>
        {waiting}
      </>
    );
  }
  return (
    <>
      <StatusLabel status="fail">Failing</StatusLabel>
      <div className={styles.words}>
        {visible(channel.words)}{" "}
        <span className="dim">
          since <TimeAgo at={channel.failing_since} form="moment" />
        </span>
      </div>
      {waiting}
    </>
  );
}

/** Sends a test, and says what became of it. */
function Trial({ channel }: { channel: NoticeChannel }) {
  const { test, delivery } = useTestChannel(channel.id);
  return (
    <>
      <Button
        size="compact-sm"
        onClick={() => test.mutate()}
        loading={test.isPending || delivery?.state === "waiting"}
        disabled={channel.state === "off"}
        aria-label={`Send test to ${visible(channel.name)}`}
      >
        Send test
      </Button>
      <div className={styles.trial} role="status">
        {test.error ? <Failed error={test.error} /> : delivery ? <TestResult delivery={delivery} /> : null}
      </div>
    </>
  );
}

function TestResult({ delivery }: { delivery: NoticeDelivery }) {
  if (delivery.state === "waiting") {
    return <StatusLabel status="running">Sending… If this doesn't finish, check that a background worker is running.</StatusLabel>;
  }
  return <StatusSentence status={delivery.state === "sent" ? "pass" : "fail"}>{visible(delivery.words)}</StatusSentence>;
}
