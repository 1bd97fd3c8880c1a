import { Button, NumberInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { ProbeRun } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome, type Status } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./paths.module.css";
import { probesKey, useProbes } from "./queries";

const SMALLEST = 576;
const LARGEST = 65_535;

const WORDS: Record<string, { status: Status; words: string }> = {
  ok: { status: "pass", words: "came back whole" },
  too_big: { status: "fail", words: "too big for the way" },
  silent: { status: "unknown", words: "no answer at any size" },
  not_run: { status: "unknown", words: "not sent in time" },
};

/** Do-not-fragment pings over this host's own paths: what carries a frame size, before anything is changed. */
export function Probes({ hostId, canRun }: { hostId: string; canRun: boolean }) {
  const runs = useProbes(hostId);
  const isUnderWay = runs.data?.[0]?.state === "waiting" || runs.data?.[0]?.state === "running";
  return (
    <section className="section" aria-label="Frame size, end to end">
      <h2>Frame size, end to end</h2>
      <p className="dim">
        A ping that may not be cut into pieces, from every SAN address to every portal. Nothing is changed. What comes back whole proves the
        way for the other hosts of the same fabric for 24 hours.
      </p>
      {canRun ? <Ask hostId={hostId} isUnderWay={isUnderWay} /> : null}
      <Panel
        query={runs}
        height={90}
        lines={2}
        isEmpty={(data) => data.length === 0}
        empty={<p className="dim">Nobody has asked this host for pings yet. Its own check-ins ping at its frame size.</p>}
      >
        {(data) => <Newest runs={data} />}
      </Panel>
    </section>
  );
}

function Ask({ hostId, isUnderWay }: { hostId: string; isUnderWay: boolean }) {
  const id = useId();
  const client = useQueryClient();
  const [size, setSize] = useState<number | string>(9000);
  const ask = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/hosts/{host_id}/probes", { params: { path: { host_id: hostId } }, body: { size_bytes: Number(size) } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: probesKey(hostId) }),
    onError: (error) => notifications.show({ title: "No ping was sent", message: ApiProblem.of(error).message }),
  });
  return (
    <form
      className={styles.ask}
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate();
      }}
    >
      <label htmlFor={id}>Bytes of the whole packet</label>
      <NumberInput
        id={id}
        size="xs"
        w={110}
        min={SMALLEST}
        max={LARGEST}
        clampBehavior="blur"
        allowDecimal={false}
        value={size}
        onChange={setSize}
      />
      <Button type="submit" loading={ask.isPending} disabled={isUnderWay || size === ""}>
        Run probes
      </Button>
    </form>
  );
}

function Newest({ runs }: { runs: ProbeRun[] }) {
  const run = runs[0];
  if (!run) return null;
  return (
    <div role="status" aria-label="The newest pings">
      <p className={styles.told}>
        {run.state === "waiting" || run.state === "running" ? (
          <Outcome status="running">under way</Outcome>
        ) : run.state === "failed" ? (
          <Outcome status="unknown">not known</Outcome>
        ) : (
          <Outcome status={run.pings.every((one) => one.outcome === "ok") ? "pass" : "fail"}>done</Outcome>
        )}{" "}
        {visible(run.words)} <span className="dim">asked by {visible(run.asked_by.replace(/^person:\d+ /, ""))}</span>{" "}
        <Instant at={run.finished_at ?? run.asked_at} />
      </p>
      {run.state === "done" ? (
        <ScrollX>
          <table className="data">
            <thead>
              <tr>
                <th scope="col">from</th>
                <th scope="col">adapter</th>
                <th scope="col">to portal</th>
                <th scope="col">{run.size_bytes} bytes</th>
              </tr>
            </thead>
            <tbody>
              {run.pings.map((one) => {
                const told = WORDS[one.outcome ?? "not_run"] ?? { status: "unknown" as const, words: "not known" };
                return (
                  <tr key={`${one.source}${one.adapter}${one.portal}`}>
                    <td className="nowrap">{visible(one.source)}</td>
                    <td>{visible(one.adapter_name)}</td>
                    <td className="nowrap">{visible(one.portal)}</td>
                    <td>
                      <Outcome status={told.status}>{told.words}</Outcome>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollX>
      ) : null}
    </div>
  );
}
