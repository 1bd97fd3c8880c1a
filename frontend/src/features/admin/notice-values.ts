import { isSeen } from "@/shared/lib/text";
import { hasNoKinds, USUAL } from "./notice-labels";
import { bodyProblem, linkProblem, TICKET_FORMS, type TicketFormValues } from "./ticket-form";
import type { NoticeChannel } from "./types";

export type Way = NoticeChannel["way"];

/** What the form of a channel holds, whatever its type. */
export type Values = {
  way: Way;
  group: string;
  name: string;
  kinds: string[];
  address: string;
  server: string;
  port: number | string;
  security: "starttls" | "ssl" | "insecure";
  account: string;
  password: string;
  sender: string;
  to: string;
} & TicketFormValues;

export const NOTHING: Values = {
  way: "mail",
  group: "",
  name: "",
  kinds: [...USUAL],
  address: "",
  server: "",
  port: 587,
  security: "starttls",
  account: "",
  password: "",
  sender: "",
  to: "",
  body: TICKET_FORMS.servicenow?.form.body ?? "",
  number: TICKET_FORMS.servicenow?.form.number ?? "",
  link: TICKET_FORMS.servicenow?.form.link ?? "",
};

const people = (text: string) => text.split(/[\s,;]+/).filter((each) => each !== "");

export const ticketFormOf = ({ body, number, link }: Values) => ({ body, number: number.trim(), link: link.trim() });
export const ticketLoginOf = ({ account, password }: Values) => ({ account: account.trim(), password });

export const mailOf = (values: Values) => ({
  server: values.server.trim(),
  port: Number(values.port),
  security: values.security,
  account: values.account,
  password: values.password,
  sender: values.sender.trim(),
  to: people(values.to),
});

/** What has to be entered for a channel to be usable; `isWhole` false where an empty address keeps the present one. */
export function wrong(values: Values, isWhole: boolean) {
  const isMail = values.way === "mail";
  const isAddressed = isWhole || values.server !== "" || values.to !== "" || values.sender !== "";
  const needs = (isMissing: boolean, words: string) => (isMissing ? words : null);
  return {
    name: needs(!isSeen(values.name), "Enter a name"),
    kinds: needs(!hasNoKinds(values.way) && values.kinds.length === 0, "Choose at least one"),
    address: needs(!isMail && isWhole && !values.address.trim(), "Enter an address"),
    server: needs(isMail && isAddressed && !values.server.trim(), "Enter a mail server"),
    sender: needs(isMail && isAddressed && !values.sender.includes("@"), "Enter a full email address"),
    to: needs(isMail && isAddressed && people(values.to).length === 0, "Enter at least one recipient"),
    ...(values.way === "ticket"
      ? {
          body: bodyProblem(values.body),
          link: linkProblem(values.link),
          account: needs(!isWhole && !values.address.trim() && values.account !== "", "Enter the address as well"),
          password:
            needs(values.account !== "" && values.password === "", "Enter the password of this user name") ??
            needs(!isWhole && !values.address.trim() && values.password !== "", "Enter the address as well"),
        }
      : {}),
  };
}
