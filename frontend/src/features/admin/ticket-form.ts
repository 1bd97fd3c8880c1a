/** How well-known ticket systems are asked, and where their answers have the ticket's number (docs/notices.md#ticket-systems). */
export type TicketFormValues = {
  body: string;
  number: string;
  link: string;
};

const json = (value: object) => JSON.stringify(value, null, 2);

export const TICKET_FORMS: Record<string, { label: string; placeholder: string; form: TicketFormValues }> = {
  servicenow: {
    label: "ServiceNow",
    placeholder: "https://<instance>.service-now.com/api/now/table/incident",
    form: {
      body: json({ short_description: "{{title}}", description: "{{description}}", correlation_id: "{{id}}" }),
      number: "result.number",
      link: "https://<instance>.service-now.com/nav_to.do?uri=incident.do?sysparm_query=number={{number}}",
    },
  },
  jira: {
    label: "Jira",
    placeholder: "https://<site>.atlassian.net/rest/api/2/issue",
    form: {
      body: json({
        fields: { project: { key: "<KEY>" }, issuetype: { name: "Task" }, summary: "{{title}}", description: "{{description}}" },
      }),
      number: "key",
      link: "https://<site>.atlassian.net/browse/{{number}}",
    },
  },
  other: {
    label: "Other",
    placeholder: "https://tickets.example.com/api/tickets",
    form: {
      body: json({
        title: "{{title}}",
        description: "{{description}}",
        hosts: "{{hosts}}",
        requested_by: "{{requested_by}}",
        url: "{{url}}",
      }),
      number: "number",
      link: "",
    },
  },
};

/** What is wrong with a form before it is sent; null where nothing is. */
export function bodyProblem(body: string): string | null {
  try {
    const parsed: unknown = JSON.parse(body);
    if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) return "Enter a JSON object: {…}";
    if (/<\w+>/.test(body)) return "Put your own name in place of <…>";
    return /\{\{\s*(title|description)\s*\}\}/.test(body) ? null : "Use {{title}} or {{description}} in it";
  } catch (error) {
    return `Not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What is wrong with a link; null where nothing is. */
export function linkProblem(link: string): string | null {
  if (link.trim() === "") return null;
  if (/[<>]/.test(link)) return "Put your own name in place of <…>";
  return link.startsWith("https://") && link.includes("{{number}}") ? null : "Enter an https address with {{number}}, or nothing";
}
