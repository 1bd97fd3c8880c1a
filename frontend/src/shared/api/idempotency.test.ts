import { describe, expect, it } from "vitest";
import { idempotent, KEY_HEADER } from "./idempotency";

const post = (body: string, url = "https://plumbline.test/api/v1/plans") => new Request(url, { method: "POST", body });

/** A server that answers as it is told, and remembers the keys that it saw. */
function server(...answers: (Response | Error | Promise<Response>)[]) {
  const keys: (string | null)[] = [];
  const send = idempotent(async (request) => {
    keys.push(request.headers.get(KEY_HEADER));
    const answer = await answers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? new Response("{}", { status: 201 });
  });
  return { keys, send };
}

describe("one act, one effect", () => {
  it("gives each act a key of its own", async () => {
    const { keys, send } = server();
    await send(post("a"));
    await send(post("a"));
    await send(post("b"));
    expect(new Set(keys).size).toBe(3);
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key ?? ""))).toBe(true);
  });

  it("sends a double click once and answers both", async () => {
    let answer: (response: Response) => void = () => undefined;
    const { keys, send } = server(new Promise<Response>((resolve) => (answer = resolve)));
    const both = [send(post("a")), send(post("a"))];
    await new Promise((later) => setTimeout(later, 5));
    answer(new Response('{"id":7}', { status: 201 }));
    const bodies = await Promise.all((await Promise.all(both)).map((each) => each.json()));
    expect(bodies).toEqual([{ id: 7 }, { id: 7 }]);
    expect(keys).toHaveLength(1);
  });

  it("keeps the key after a lost answer, a proxy's page and a wish to be asked again", async () => {
    const later = new Response("", { status: 409, headers: { "Retry-After": "1" } });
    const { keys, send } = server(new TypeError("Failed to fetch"), new Response("", { status: 502 }), later);
    await expect(send(post("a"))).rejects.toThrow(TypeError);
    expect((await send(post("a"))).status).toBe(502);
    expect((await send(post("a"))).status).toBe(409);
    expect((await send(post("a"))).status).toBe(201);
    expect(new Set(keys).size).toBe(1);
    await send(post("a"));
    expect(new Set(keys).size).toBe(2);
  });

  it("takes a refusal for an answer", async () => {
    const { keys, send } = server(new Response("", { status: 422 }));
    await send(post("a"));
    await send(post("a"));
    expect(new Set(keys).size).toBe(2);
  });

  it("knows the same form again whatever its boundary", async () => {
    const form = (boundary: string) =>
      new Request("https://plumbline.test/api/v1/waivers/1/files", {
        method: "POST",
        headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
        body: `--${boundary}\r\nx\r\n--${boundary}--`,
      });
    const { keys, send } = server(new TypeError("Failed to fetch"));
    await expect(send(form("aaaa"))).rejects.toThrow();
    await send(form("bbbb"));
    expect(new Set(keys).size).toBe(1);
  });

  it("leaves reads alone", async () => {
    const { keys, send } = server();
    await send(new Request("https://plumbline.test/api/v1/plans"));
    expect(keys).toEqual([null]);
  });
});
