import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { query } from "@/shared/api/client";
import type { NoticeChannels } from "@/shared/api/types";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { ChannelCard } from "./notice-channel";
import { ChannelForm } from "./notice-forms";
import { NoticeLog } from "./notice-log";
import styles from "./notices.module.css";

/** Where Plumbline tells people what happens, and what it told. */
export function Notices() {
  const channels = query.useQuery("get", "/api/v1/notices/channels", {}, { refetchInterval: 15_000 });
  const [isMaking, making] = useDisclosure(false);
  return (
    <>
      <section aria-label="Channels">
        <div className="row" style={{ marginBottom: 12 }}>
          <Button variant="filled" onClick={making.open} disabled={!channels.data}>
            Set up a channel
          </Button>
          <span className="dim small">
            A channel hears of its group and all below it. A hold on a host, and whoever is at a problem, keep notices about it back.
          </span>
        </div>
        <Modal opened={isMaking} onClose={making.close} title="Set up a channel" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
          {channels.data ? <ChannelForm kinds={channels.data.kinds} chats={channels.data.chats} close={making.close} /> : null}
        </Modal>
        <Panel
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
        </Panel>
      </section>
      <NoticeLog />
    </>
  );
}

/** Said where it matters: without a heartbeat the silence of a dead Plumbline looks like a quiet night. */
function Heartbeat({ data }: { data: NoticeChannels }) {
  if (data.has_heartbeat) return null;
  return (
    <p className={styles.warning}>
      <Outcome status="warn">no heartbeat</Outcome>{" "}
      <span>If Plumbline itself stops, nobody is told. Set up a heartbeat at a service that stands outside of it.</span>
    </p>
  );
}
