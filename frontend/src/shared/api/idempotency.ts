/**
 * One act, one effect: every POST bears a key, and whoever repeats it before its answer came repeats it under the same key.
 *
 * A second click while the first is on its way gets the first one's answer. After a lost answer (no network, a proxy's page, the server
 * busy) the same form sent again has the key of the first time, and the server answers what it did then. Once an answer has come, the
 * same request is a new act.
 */

export const KEY_HEADER = "Idempotency-Key";
// Acts whose outcome is not known are few; the oldest are let go so that a page that stays open for days holds no heap of them.
const MOST_OPEN = 50;

type Sent = { key: string; answer: Promise<Response> | null };

export function idempotent(send: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  const open = new Map<string, Sent>();
  return async (request) => {
    if (request.method !== "POST" || request.headers.has(KEY_HEADER)) return send(request);
    const act = await actOf(request);
    const sent = open.get(act) ?? { key: newKey(), answer: null };
    if (sent.answer === null) {
      open.set(act, sent);
      if (open.size > MOST_OPEN) open.delete(open.keys().next().value ?? "");
      request.headers.set(KEY_HEADER, sent.key);
      sent.answer = send(request).then(
        (answer) => {
          if (isAnswered(answer)) open.delete(act);
          else sent.answer = null;
          return answer;
        },
        (error: unknown) => {
          sent.answer = null;
          throw error;
        },
      );
    }
    return (await sent.answer).clone();
  };
}

/** Whether it is known what became of the act. A 5xx may be a proxy's; a wish to be asked again says that nothing is settled yet. */
const isAnswered = (answer: Response) => answer.status < 500 && !answer.headers.has("Retry-After");

/** What makes two requests the same act. The boundary of a form is drawn anew for each, so it does not count. */
async function actOf(request: Request): Promise<string> {
  // One character a byte, so that files which differ are acts that differ.
  const body = new TextDecoder("latin1").decode(await request.clone().arrayBuffer());
  const boundary = /boundary=(.+)$/.exec(request.headers.get("Content-Type") ?? "")?.[1];
  return `${request.url}\n${boundary ? body.replaceAll(boundary, "") : body}`;
}

/** 128 random bits; `randomUUID` is missing where a page was not served over TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
