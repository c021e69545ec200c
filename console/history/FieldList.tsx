import { fieldName, fieldText } from "../conversations/fieldText.js";
import { messages } from "../language/language.js";
import type { Fields } from "./history.js";

interface FieldListProps {
  fields: Fields;
  /** The fields of whose texts only the first characters are known. */
  cut?: readonly string[] | undefined;
  mostCharacters?: number;
}

/** Fields of a conversation with their values, in words. */
export function FieldList({ fields, cut = [], mostCharacters }: FieldListProps) {
  return (
    <ul class="fields">
      {Object.entries(fields).map(([name, value]) => (
        <li key={name}>
          {fieldName(name)}: <bdi>{fieldText(name, value, mostCharacters)}</bdi>
          {cut.includes(name) && <span class="faint"> {messages.value.history.cut}</span>}
        </li>
      ))}
    </ul>
  );
}
