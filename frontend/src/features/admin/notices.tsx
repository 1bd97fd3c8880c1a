import { Button } from "@mantine/core";
import { FormDialog } from "@/shared/ui/form-dialog";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { ChannelCard } from "./notice-channel";
import { ChannelForm } from "./notice-forms";
import { NoticeLog } from "./notice-log";
import styles from "./notices.module.css";
import { useChannels } from "./queries";
import type { NoticeChannels } from "./types";

/** Where Plumbline sends notices, and what it sent. */
export function Notices() {
  const channels = useChannels();
  return (
    <>
      <section aria-label="Channels">
        <div className="row" style={{ marginBottom: 12 }}>
          <FormDialog
            title="Add channel"
            size="lg"
            opener={(open) => (
              <Button variant="filled" onClick={open} disabled={!channels.data}>
                Add channel
              </Button>
            )}
          >
            {(close) => (channels.data ? <ChannelForm kinds={channels.data.kinds} chats={channels.data.chats} close={close} /> : null)}
          </FormDialog>
          <span className="dim small">
            A channel receives notifications for its group and subgroups. Notifications are suppressed for hosts on hold and for
            acknowledged or snoozed problems.
          </span>
        </div>
        <QueryPanel
          query={channels}
          height={220}
          isEmpty={(data) => data.channels.length === 0}
          empty={
            <Empty title="No notification channels">
              Add email, chat or a webhook to get notified, a ticket system to create tickets in, and a heartbeat to detect when Plumbline
              itself is down.
            </Empty>
          }
        >
          {(data) => (
            <>
              <Heartbeat data={data} />
              <ul className={styles.channels}>
                {data.channels.map((channel) => (
                  <ChannelCard key={channel.id} channel={channel} kinds={data.kinds} chats={data.chats} />
                ))}
              </ul>
            </>
          )}
        </QueryPanel>
      </section>
      <NoticeLog />
    </>
  );
}

/** Shown where it matters: without a heartbeat the silence of a dead Plumbline looks like a quiet night. */
function Heartbeat({ data }: { data: NoticeChannels }) {
  if (data.has_heartbeat) return null;
  return (
    <p className={styles.warning}>
      <StatusLabel status="warn">No heartbeat</StatusLabel>{" "}
      <span>You won't be notified if Plumbline itself goes down. Add a heartbeat with an external monitoring service.</span>
    </p>
  );
}
