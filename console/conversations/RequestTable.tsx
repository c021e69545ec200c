import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import type { Setting } from "./setting.js";

/** The result of each request. */
export function RequestTable({ batches }: { batches: Setting["batches"]["value"] }) {
  const texts = messages.value.conversations;
  const outcomes = {
    changed: texts.changed,
    unchanged: texts.unchanged,
    unknown: texts.unknown,
    waiting: "",
    running: "",
  };
  return (
    <table class="requests">
      <caption>{texts.requestTitle}</caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            {texts.request}
          </th>
          <th scope="col" class="number">
            {texts.requestUsers}
          </th>
          <th scope="col">{texts.outcome}</th>
        </tr>
      </thead>
      <tbody>
        {batches.map(({ userIDs, outcome }, index) => (
          <tr key={userIDs[0]}>
            <td class="number">{index + 1}</td>
            <td class="number">{formatCount(userIDs.length)}</td>
            <td>{outcomes[outcome]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
