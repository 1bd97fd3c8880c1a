import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useFindings } from "@/entities/finding/queries";
import { useGroupChoices } from "@/entities/group/queries";
import { useHost } from "@/entities/host/queries";
import { useSession } from "@/entities/person/queries";
import { useRules } from "@/entities/rule/queries";
import type { WaiverPreview } from "@/entities/waiver/types";
import { api } from "@/shared/api/client";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { zoneLabel } from "@/shared/lib/time";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { useZone } from "@/shared/ui/time-ago";
import { Change } from "./forecast";
import { endOfDay, inDays } from "./labels";
import { bodyOf, upload, useOwners, usePreview, useReread } from "./queries";
import type { AskSearch } from "./search";
import styles from "./waivers.module.css";

interface AskPageProps {
  search: AskSearch;
  setSearch: PatchSearch<AskSearch>;
  canRequest: boolean;
}

/** Requesting a waiver: rule and scope are in the address, and the effect is shown before it is sent. */
export function AskPage({ search, setSearch, canRequest }: AskPageProps) {
  const preview = usePreview(canRequest ? search : {});
  const isNamed = search.pack !== undefined && search.rule !== undefined;
  const isPlaced = (search.host?.length ?? 0) > 0 || search.group !== undefined;
  if (!canRequest) {
    return (
      <>
        <div className="page-head">
          <h1>Request waiver</h1>
        </div>
        <Empty title="Only operators can request waivers">Ask an operator to request it. An approver decides.</Empty>
      </>
    );
  }
  return (
    <>
      <div className="page-head">
        <h1>{search.replaces ? `Renew or change waiver ${search.replaces}` : "Request waiver"}</h1>
        <span className="dim">The finding stays a failure but is excluded from the score until the waiver expires.</span>
      </div>
      <div className={styles.two}>
        <div>
          <What search={search} setSearch={setSearch} />
          {isNamed && isPlaced ? <Form key={JSON.stringify(search)} search={search} preview={preview.data} /> : null}
        </div>
        <aside className={styles.side} aria-label="Effect">
          <section>
            <h2>Effect</h2>
            {isNamed && isPlaced ? (
              <QueryPanel query={preview} height={160}>
                {(data) => (
                  <>
                    {data.problem ? <p className={styles.notice}>{data.problem}</p> : null}
                    <Change preview={data} />
                  </>
                )}
              </QueryPanel>
            ) : (
              <p className="dim">Choose a rule and a scope to preview the effect on scores and caps.</p>
            )}
          </section>
          <section>
            <h2>When it ends</h2>
            <p className="dim">
              On its expiry date, or earlier on hosts whose storage adapters, driver, firmware, role or cluster change. The owner gets a
              reminder.
            </p>
          </section>
        </aside>
      </div>
    </>
  );
}

function What({ search, setSearch }: Omit<AskPageProps, "canRequest">) {
  const rules = useRules();
  const groups = useGroupChoices();
  const choices = (rules.data?.items ?? [])
    .filter((rule) => rule.weight > 0 || rule.kind === "guard_rail")
    .map((rule) => ({ value: `${rule.pack}/${rule.rule}`, label: `${rule.title} (${rule.pack})` }));
  const isFixed = search.replaces !== undefined;
  return (
    <div className={styles.form} style={{ marginBottom: 20 }}>
      <Select
        label="Rule"
        placeholder="Search by title"
        searchable
        limit={60}
        disabled={isFixed}
        data={choices}
        value={search.pack && search.rule ? `${search.pack}/${search.rule}` : null}
        onChange={(chosen) => {
          const [pack, ...rest] = (chosen ?? "").split("/");
          setSearch({ pack: pack || undefined, rule: rest.join("/") || undefined, skind: undefined, sid: undefined });
        }}
      />
      {search.host?.length ? (
        <p>
          Scope:{" "}
          <b>
            <Scope hosts={search.host} kind={search.skind} subject={search.sid} />
          </b>
          .{" "}
          {isFixed ? null : (
            <button
              type="button"
              className="link"
              style={{ border: 0, background: "none", font: "inherit", color: "inherit", padding: 0, cursor: "pointer" }}
              onClick={() => setSearch({ host: undefined, skind: undefined, sid: undefined })}
            >
              Use a group instead
            </button>
          )}
          {search.skind && !isFixed ? (
            <>
              {" · "}
              <button
                type="button"
                className="link"
                style={{ border: 0, background: "none", font: "inherit", color: "inherit", padding: 0, cursor: "pointer" }}
                onClick={() => setSearch({ skind: undefined, sid: undefined })}
              >
                Use the whole host instead
              </button>
            </>
          ) : null}
        </p>
      ) : (
        <Select
          label="Group (including subgroups and future hosts)"
          description="For single hosts, start from the finding or select hosts in the Hosts list."
          placeholder="Select a group"
          searchable
          disabled={isFixed}
          data={groups}
          value={search.group === undefined ? null : String(search.group)}
          onChange={(chosen) => setSearch({ group: chosen ? Number(chosen) : undefined })}
        />
      )}
    </div>
  );
}

interface ScopeProps {
  hosts: string[];
  kind: string | undefined;
  subject: string | undefined;
}

/** The scope by the names that people use: "vmhba38 of esx-b07". */
function Scope({ hosts, kind, subject }: ScopeProps) {
  const first = hosts[0] ?? "";
  const isOne = hosts.length === 1;
  const isSubject = isOne && kind !== undefined && kind !== "host";
  const host = useHost(first, isOne);
  const findings = useFindings(first, isSubject);
  if (!isOne) return plural(hosts.length, "host");
  const name = visible(host.data?.name ?? "one host");
  if (!isSubject) return name;
  const label = findings.data?.items.find((one) => one.subject.kind === kind && one.subject.id === subject)?.subject.label;
  return `${visible(label ?? `one ${kind}`)} of ${name}`;
}

function Form({ search, preview }: { search: AskSearch; preview: WaiverPreview | undefined }) {
  const navigate = useNavigate();
  const reread = useReread();
  const owners = useOwners();
  const session = useSession();
  const zone = useZone();
  const [files, setFiles] = useState<File[]>([]);
  const longest = preview?.longest_days ?? 365;
  const form = useForm({
    initialValues: {
      reason: "",
      owner: "",
      until: search.until ?? inDays(30, zone),
      ticket: "",
      evidence: search.evidence ?? "",
      evidence_link: search.link ?? "",
    },
    validate: {
      reason: (text) => (text.trim().length >= 10 ? null : "Enter at least 10 characters"),
      until: (date) =>
        date > inDays(0, zone) && date <= inDays(longest - 1, zone)
          ? null
          : `Choose a date between tomorrow and ${inDays(longest - 1, zone)} (maximum ${longest} days)`,
      ticket: (text) => (preview?.is_ticket_required && !text.trim() ? "A ticket is required for this group" : null),
      evidence_link: (text) =>
        text === "" || /^(https?:\/\/\S+|\/[^/\\\s]\S*)$/.test(text) ? null : "Enter a URL starting with https://, or a Plumbline page",
    },
  });
  const me = session.data?.person.id;
  const send = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const response = await api.POST("/api/v1/waivers", {
        body: {
          ...bodyOf(search),
          reason: values.reason.trim(),
          expires_at: endOfDay(values.until, zone),
          owner_id: values.owner ? Number(values.owner) : null,
          ticket: values.ticket.trim(),
          evidence: values.evidence.trim(),
          evidence_link: values.evidence_link.trim(),
        },
      });
      const id = response.data?.id;
      if (id === undefined) throw new TypeError("the request had no number");
      for (const file of files) await upload(`waivers/${id}`, file);
      return id;
    },
    onSuccess: async (id) => {
      await reread();
      await navigate({ to: "/waivers/$waiverId", params: { waiverId: String(id) } });
    },
  });
  const problem = preview?.problem ?? "";
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => send.mutate(values))}>
      <Textarea
        label="Reason"
        description="Why this is acceptable and how it will be fixed."
        withAsterisk
        autosize
        minRows={3}
        maxLength={2000}
        {...form.getInputProps("reason")}
      />
      <div className={styles.pair}>
        <TextInput
          type="date"
          label={`Expires (23:59 ${zoneLabel(zone)})`}
          withAsterisk
          min={inDays(1, zone)}
          max={inDays(longest - 1, zone)}
          {...form.getInputProps("until")}
        />
        <Select
          label="Owner"
          description="Responsible person. Gets reminders."
          searchable
          data={(owners.data ?? []).map((one) => ({ value: String(one.id), label: one.id === me ? `${one.name} (you)` : one.name }))}
          value={form.values.owner || (me === undefined ? null : String(me))}
          onChange={(chosen) => form.setFieldValue("owner", chosen ?? "")}
        />
      </div>
      <TextInput
        label={preview?.is_ticket_required ? "Ticket" : "Ticket (optional)"}
        withAsterisk={preview?.is_ticket_required ?? false}
        maxLength={120}
        {...form.getInputProps("ticket")}
      />
      <Textarea label="Evidence (optional)" autosize minRows={1} maxLength={2000} {...form.getInputProps("evidence")} />
      <TextInput label="Evidence link (optional)" placeholder="https://… or a Plumbline page" {...form.getInputProps("evidence_link")} />
      <div>
        <label htmlFor="waiver-files" style={{ display: "block", fontSize: 13, fontWeight: 500, marginBottom: 4 }}>
          Files (optional)
        </label>
        <input
          id="waiver-files"
          type="file"
          multiple
          accept="image/png,image/jpeg,image/webp,application/pdf,text/plain,.txt,.log,.csv"
          onChange={(event) => setFiles([...(event.currentTarget.files ?? [])].slice(0, 5))}
        />
        <div className="dim small">Up to 5 files: images, PDF or text, 1 MB each.</div>
      </div>
      {send.error ? <Failed error={send.error} /> : null}
      {problem ? <span className="dim small">Can't submit: {problem}.</span> : null}
      <div className={styles.acts}>
        <Button type="submit" variant="filled" disabled={problem !== "" || preview === undefined} loading={send.isPending}>
          Submit request
        </Button>
      </div>
    </form>
  );
}
