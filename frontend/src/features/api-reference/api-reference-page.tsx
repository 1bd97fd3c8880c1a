import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import styles from "./api-reference.module.css";
import { type ApiDocument, type Field, isFound, type Operation, operationsOf } from "./document";

/** Every operation of the API as this server offers it, from its own OpenAPI document: nothing is loaded from elsewhere. */
export function ApiReferencePage() {
  const [typed, setTyped] = useState("");
  const document = useQuery({
    queryKey: ["openapi"],
    queryFn: async ({ signal }) => {
      const answer = await fetch("/api/openapi.json", { signal });
      if (!answer.ok) throw new Error(`the API document could not be read (${answer.status})`);
      return operationsOf((await answer.json()) as ApiDocument);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <div className="page-head">
        <h1>API reference</h1>
        <span className="dim">
          Base address <code>{window.location.origin}</code>. The same as <a href="/api/openapi.json">OpenAPI document</a>.
        </span>
      </div>
      <p className="dim">
        Programs send <code>Authorization: Bearer TOKEN</code> with an API token. A POST with an <code>Idempotency-Key</code> is done once.
        Errors are RFC 9457 problems with a <code>code</code>. Lists continue with <code>after</code>, from <code>next</code> of the page
        before. A GET answers 304 to <code>If-None-Match</code> with the present <code>ETag</code>.
      </p>
      <TextInput
        label="Search"
        placeholder="hosts, post, report.make…"
        w={320}
        mt={12}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <QueryPanel query={document} height={400}>
        {(operations) => <Operations operations={operations.filter((one) => isFound(one, typed))} />}
      </QueryPanel>
    </>
  );
}

function Operations({ operations }: { operations: Operation[] }) {
  if (operations.length === 0) return <Empty title="No operation matches">Search for a part of a path, a method or a right.</Empty>;
  const tags = [...new Set(operations.map((one) => one.tag))];
  return tags.map((tag) => (
    <section key={tag} className="section" aria-label={tag}>
      <h2 className={styles.tag}>{tag}</h2>
      {operations
        .filter((one) => one.tag === tag)
        .map((one) => (
          <OperationRow key={one.id} operation={one} />
        ))}
    </section>
  ));
}

/** One operation; its fields are drawn only while it is open, since there are some hundred operations. */
function OperationRow({ operation }: { operation: Operation }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.operation} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.method}>{operation.method.toUpperCase()}</span> <code className={styles.path}>{operation.path}</code>{" "}
        <span className="dim">{operation.text.split(/(?<=\.)\s/)[0]}</span>
      </summary>
      {isOpen ? <Details operation={operation} /> : null}
    </details>
  );
}

function Details({ operation }: { operation: Operation }) {
  return (
    <div className={styles.details}>
      <p>{operation.text}</p>
      <dl className={styles.facts}>
        <dt>Operation ID</dt>
        <dd>
          <code>{operation.id}</code>
        </dd>
        <dt>Right</dt>
        <dd>
          <code>{operation.right}</code>
        </dd>
        <dt>Answer</dt>
        <dd>{operation.answer}</dd>
        <dt>Errors</dt>
        <dd>{operation.errors.join(", ") || "–"}</dd>
      </dl>
      <Fields title="Parameters" fields={operation.parameters} hasPlace />
      <Fields title="Body" fields={operation.body} />
      <Fields title="Fields of the answer" fields={operation.answerFields} isAnswer />
    </div>
  );
}

function Fields({
  title,
  fields,
  hasPlace = false,
  isAnswer = false,
}: {
  title: string;
  fields: Field[];
  hasPlace?: boolean;
  isAnswer?: boolean;
}) {
  if (fields.length === 0) return null;
  return (
    <div className={styles.scroll}>
      <table className={styles.fields}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {hasPlace ? <th scope="col">In</th> : null}
            <th scope="col">Type</th>
            {isAnswer ? null : <th scope="col">Required</th>}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={`${field.place} ${field.name}`}>
              <td>
                <code>{field.name}</code>
              </td>
              {hasPlace ? <td>{field.place}</td> : null}
              <td>{field.type}</td>
              {isAnswer ? null : <td>{field.isRequired ? "Yes" : "No"}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
