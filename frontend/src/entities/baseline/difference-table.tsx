import type { SettingDifference } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { ScrollX } from "@/shared/ui/scroll-x";
import { FromTo } from "@/shared/ui/verbatim";

const WHOLE = { came: "was not there when the baseline was accepted", went: "is not there any more", changed: "" } as const;

/** What differs between an accepted configuration and another one, a line for each setting. */
export function Differences({ items }: { items: SettingDifference[] }) {
  return (
    <ScrollX>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">of</th>
            <th scope="col">setting</th>
            <th scope="col">accepted, and now</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={`${item.subject.kind}/${item.subject.id}/${item.key}`}>
              <td>
                {visible(item.subject.label)} {item.subject.kind === "host" ? null : <span className="dim">{item.subject.kind}</span>}
              </td>
              <td>{item.label || <span className="dim">the whole {item.subject.kind}</span>}</td>
              <td>{item.what === "changed" ? <FromTo from={item.accepted} to={item.now} /> : WHOLE[item.what]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
