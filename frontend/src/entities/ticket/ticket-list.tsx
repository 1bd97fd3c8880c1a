import { visible } from "@/shared/lib/text";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./ticket.module.css";
import type { Ticket } from "./types";

/** The tickets about something, newest first: number and link, or what became of sending them. */
export function TicketList({ tickets }: { tickets: Ticket[] }) {
  if (tickets.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Tickets">
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <Reference ticket={ticket} /> <span className="dim">in {visible(ticket.system)}</span>{" "}
          <span className="dim">
            by {visible(ticket.by)}, <TimeAgo at={ticket.at} />
          </span>
          {ticket.state !== "sent" && ticket.words ? <div className="small">{visible(ticket.words)}</div> : null}
        </li>
      ))}
    </ul>
  );
}

/** The tickets about something in a row of a list: their numbers. */
export function TicketNumbers({ tickets }: { tickets: Ticket[] }) {
  if (tickets.length === 0) return null;
  return (
    <div className="small">
      {tickets.map((ticket, index) => (
        <span key={ticket.id}>
          {index > 0 ? ", " : ""}
          <Reference ticket={ticket} />
        </span>
      ))}
    </div>
  );
}

function Reference({ ticket }: { ticket: Ticket }) {
  if (ticket.state === "given_up") return <StatusLabel status="fail">Ticket not confirmed</StatusLabel>;
  if (ticket.state === "waiting") return <StatusLabel status="running">Sending ticket</StatusLabel>;
  const name = ticket.number ? `Ticket ${visible(ticket.number)}` : "Ticket sent, number not known";
  if (!ticket.url) return <span className="strong">{name}</span>;
  return (
    <a href={ticket.url} className="link" target="_blank" rel="noreferrer">
      {name}
    </a>
  );
}
