import { crc32 } from "node:zlib";

/** A pack of one rule, as a site would write it: its array wants flow control off, which the papers want on. */
function files(version: string, setting: string): Record<string, string> {
  const adapter = (value: string) => `platform: windows\nsettings:\n  adapter/a1: {role: san_iscsi, flow_control: ${value}}\n`;
  return {
    "pack.yaml": `pack: site-array\nversion: ${version}\ntitle: Our array\nsummary: What our array asks for.\n`,
    "rules/site.flow_control.off.yaml": [
      "id: site.flow_control.off",
      "kind: recommended",
      "title: Flow control off on storage adapters",
      `summary: The array of this site is run with flow control off (${version}).`,
      "why: The vendor's guide for this array says so.",
      "status: {state: active}",
      "applies_to:",
      "  platform: windows",
      '  adapter: {role: {is: san_iscsi, else: "not a storage adapter"}}',
      `expect: {setting: ${setting}, equals: "off"}`,
      "impact: adapter_restart",
      'fix: {set: [{setting: adapter.flow_control, to: "off"}]}',
      "",
    ].join("\n"),
    "cases/site.flow_control.off.right.pass.yaml": adapter('"off"'),
    "cases/site.flow_control.off.wrong.fail.yaml": adapter("rx_tx"),
    "cases/site.flow_control.off.unread.unknown.yaml": adapter("{unknown: access denied}"),
    "cases/site.flow_control.off.lan.not_applicable.yaml": "platform: windows\nsettings:\n  adapter/a1: {role: management}\n",
  };
}

/** The pack as a zip archive; `setting` other than the right one makes a mistake in it. */
export function siteArchive(version: string, setting = "adapter.flow_control"): Buffer {
  const entries = Object.entries(files(version, setting)).map(([name, text]) => ({ name: Buffer.from(name), body: Buffer.from(text) }));
  const parts: Buffer[] = [];
  const index: Buffer[] = [];
  let offset = 0;
  for (const { name, body } of entries) {
    // Stored, not packed: version, flags, method, time, date, checksum, sizes, length of the name, no extra field.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(33, 8);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), common, name, body);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    index.push(Buffer.from("PK\x01\x02", "latin1"), Buffer.from([20, 0]), common, rest, name);
    offset += 30 + name.length + body.length;
  }
  const directory = Buffer.concat(index);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from("PK\x05\x06", "latin1"), end]);
}
