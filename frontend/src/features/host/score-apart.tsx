import { Link } from "@tanstack/react-router";
import { Panel } from "@/components/panel";
import { ScrollX } from "@/components/scroll-x";
import { count, NO_DATA, percent, score as points } from "@/lib/format";
import { visible } from "@/lib/text";
import styles from "./host.module.css";
import { useScore } from "./queries";
import { kindWord } from "./words";

const one = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The score taken apart: what each rule could bring and what it lost. */
export function ScoreApart({ hostId }: { hostId: string }) {
  const score = useScore(hostId, true);
  return (
    <section className={styles.apart} aria-label="The score taken apart">
      <Panel query={score} height={260} lines={8}>
        {(data) => (
          <>
            <p className="dim" style={{ marginBottom: 10, maxWidth: "90ch" }}>
              Score = 100 × the weight of what passes / the weight of what was judged, rounded down. Weight = effect × strength of the
              evidence × likeness of the test bed to this host. Not applicable, unknown and waived stay outside.
            </p>
            <dl className={styles.kv} style={{ marginBottom: 12 }}>
              <div>
                <dt>score</dt>
                <dd className="strong">{points(data.score)}</dd>
              </div>
              <div>
                <dt>without waivers</dt>
                <dd>{points(data.without_waivers)}</dd>
              </div>
              <div>
                <dt>if every rule counted the same</dt>
                <dd>{points(data.count_based)}</dd>
              </div>
              <div>
                <dt>rule coverage</dt>
                <dd>{percent(data.rule_coverage)}</dd>
              </div>
              {data.caps.map((cap) => (
                <div key={cap.because}>
                  <dt>held at {cap.limit} by</dt>
                  <dd>{visible(cap.because)}</dd>
                </div>
              ))}
            </dl>
            <ScrollX>
              <table className="data">
                <thead>
                  <tr>
                    <th scope="col">rule</th>
                    <th scope="col">kind</th>
                    <th scope="col">effect</th>
                    <th scope="col">strength</th>
                    <th scope="col" className="num">
                      likeness
                    </th>
                    <th scope="col" className="num">
                      weight
                    </th>
                    <th scope="col" className="num">
                      passing
                    </th>
                    <th scope="col" className="num">
                      of 100
                    </th>
                    <th scope="col" className="num">
                      lost
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.rules.map((rule) => (
                    <tr key={`${rule.pack}/${rule.rule}`}>
                      <td>
                        <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
                          {rule.title}
                        </Link>
                      </td>
                      <td className="dim">{kindWord(rule.kind)}</td>
                      <td className="dim">{rule.band.replaceAll("_", " ") || NO_DATA}</td>
                      <td className="dim">{rule.strength.replaceAll("_", " ") || NO_DATA}</td>
                      <td className="num">{one.format(rule.fit)}</td>
                      <td className="num">{one.format(rule.weight)}</td>
                      <td className="num nowrap">
                        {count(rule.passing)} of {count(rule.judged)}
                        {rule.waived > 0 ? `, ${rule.waived} waived` : ""}
                        {rule.unknown > 0 ? `, ${rule.unknown} unknown` : ""}
                      </td>
                      <td className="num">{rule.judged > 0 ? one.format(rule.points_possible) : NO_DATA}</td>
                      <td className="num strong">{rule.points_lost > 0 ? `−${one.format(rule.points_lost)}` : "0"}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
          </>
        )}
      </Panel>
    </section>
  );
}
