import { messages } from "../language/language.js";
import { PinnedSearch } from "../parts/PinnedSearch.js";
import { idsMeant } from "../parts/pasted.js";

interface ElsewhereProps {
  /** What was not found. */
  keyword: string;
  /** The group in which it was not found. */
  except?: string;
  onSearch(keyword: string): void;
}

/** What else to search for, if the text was pasted with more than an ID, and where else. */
export function Elsewhere({ keyword, except, onSearch }: ElsewhereProps) {
  const { search } = messages.value;
  const meant = idsMeant(keyword).find(({ id }) => id !== keyword);
  return (
    <>
      {meant && (
        <button type="button" onClick={() => onSearch(meant.id)}>
          {search.instead(meant.id)}
        </button>
      )}
      {meant && meant.leftOut !== "" && <p class="faint">{search.leftOut(meant.leftOut)}</p>}
      <PinnedSearch keyword={keyword} {...(except !== undefined && { except })} />
    </>
  );
}
