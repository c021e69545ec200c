import { fieldName, fieldText } from "../conversations/fieldText.js";
import type { Fields } from "./history.js";

/** Fields of a conversation with their values, in words. */
export function FieldList({ fields }: { fields: Fields }) {
  return (
    <ul class="fields">
      {Object.entries(fields).map(([name, value]) => (
        <li key={name}>
          {fieldName(name)}: <bdi>{fieldText(name, value)}</bdi>
        </li>
      ))}
    </ul>
  );
}
