import { messages } from "../language/language.js";
import { type FieldName, receiveOptions, type Values } from "./draft.js";

interface FieldValueProps {
  name: FieldName;
  values: Values;
  isRefused: boolean;
  onChange(values: Partial<Values>): void;
}

/** The control for the value of a ticked field. */
export function FieldValue({ name, values, isRefused, onChange }: FieldValueProps) {
  const texts = messages.value.conversations;
  const attributes = { "aria-label": texts[name], "aria-invalid": isRefused };
  switch (name) {
    case "recvMsgOpt":
      return (
        <select
          {...attributes}
          value={values.recvMsgOpt}
          onChange={({ currentTarget }) => onChange({ recvMsgOpt: receiveOptions[currentTarget.selectedIndex] ?? 0 })}
        >
          {receiveOptions.map((code) => (
            <option key={code} value={code}>
              {texts.recvMsgOpts[code]}
            </option>
          ))}
        </select>
      );
    case "isPinned":
    case "isPrivateChat":
      return (
        <select
          {...attributes}
          value={String(values[name])}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value === "true" })}
        >
          <option value="true">{texts.yes}</option>
          <option value="false">{texts.no}</option>
        </select>
      );
    default:
      return (
        <input
          {...attributes}
          inputMode={name === "burnDuration" ? "numeric" : "text"}
          autoComplete="off"
          value={values[name]}
          onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
        />
      );
  }
}
