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
            title="Set up a channel"
            size="lg"
            opener={(open) => (
              <Button variant="filled" onClick={open} disabled={!channels.data}>
                Set up a channel
              </Button>
            )}
          >
            {(close) => (channels.data ? <ChannelForm kinds={channels.data.kinds} chats={channels.data.chats} close={close} /> : null)}
          </FormDialog>
          <span className="dim small">
            A channel hears of its group and all below it. A hold on a host, and whoever is at a problem, keep notices about it back.
          </span>
        </div>
        <QueryPanel
          query={channels}
          height={220}
          isEmpty={(data) => data.channels.length === 0}
          empty={
            <Empty title="Nobody is told anything yet.">
              What happens is seen only by whoever looks here. Set up mail, a chat or a webhook, and a heartbeat for the case that Plumbline
              itself stops.
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
      <StatusLabel status="warn">no heartbeat</StatusLabel>{" "}
      <span>If Plumbline itself stops, nobody is told. Set up a heartbeat at a service that stands outside of it.</span>
    </p>
  );
}
